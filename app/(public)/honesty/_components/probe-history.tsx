import type { ProbeResult } from '@/lib/claims';

const STEP = 6;
const HEIGHT = 14;

/** A claim's history, oldest at the left: a full bar passed, a short one at the foot failed. */
export function ProbeHistory({ results }: { results: ProbeResult[] }) {
  if (results.length < 2) return null;
  const failed = results.filter((result) => !result.passed).length;
  const label = `Last ${results.length} runs: ${failed === 0 ? 'all passed' : `${failed} failed`}`;
  return (
    <svg role="img" aria-label={label} width={results.length * STEP} height={HEIGHT} className="shrink-0">
      <title>{label}</title>
      {results.toReversed().map((result, at) => (
        <rect key={result.id} x={at * STEP} y={result.passed ? 0 : HEIGHT - 5} width={STEP - 2} height={result.passed ? HEIGHT : 5} rx="1" fill={result.passed ? 'var(--state-finished)' : 'var(--state-truncated)'} />
      ))}
    </svg>
  );
}
