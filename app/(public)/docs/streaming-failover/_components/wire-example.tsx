import { CodeBlock, Mono } from '@/app/_ui';
import { recordedAnswer, type WireExample, type WireExampleId } from '@/lib/claims';

/** An ending as it goes over the wire, recorded from the engine. */
export function WireExampleView({ example }: { example: WireExample & { id: WireExampleId } }) {
  return (
    <details id={`ending-${example.id}`} className="scroll-mt-20 border-b border-line py-2">
      <summary className="py-1 text-sm"><span className="font-medium">{example.title}</span></summary>
      <p className="mt-1 max-w-3xl text-sm">{example.means}</p>
      <p className="mt-1 text-sm text-muted">
        Tiers: {example.tiers.map((script, at) => <span key={script}>{at > 0 ? ', then ' : ''}<Mono>{script}</Mono></span>)}{example.stream ? '' : '; asked without streaming'}
      </p>
      <div className="mt-2"><CodeBlock title="What the client receives" text={recordedAnswer(example.id)} wrap /></div>
      <p className="mt-1.5 text-xs text-muted">Test: {example.test}</p>
    </details>
  );
}
