import type { Difference } from './route-diff';

/** Two versions side by side, only where they differ. */
export function Differences({ differences, from, to, caption }: { differences: readonly Difference[]; from: string; to: string; caption: string }) {
  if (differences.length === 0) return <p className="text-xs text-muted">Nothing differs.</p>;
  return (
    <div role="region" aria-label={caption} tabIndex={0} className="overflow-x-auto">
      <table className="w-full border-collapse text-xs">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="py-1 pr-3 font-medium"><span className="sr-only">What</span></th>
            <th scope="col" className="py-1 pr-3 font-medium">{from}</th>
            <th scope="col" className="py-1 font-medium">{to}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <tr key={difference.what} className="border-t border-line align-top">
              <th scope="row" className="py-1 pr-3 text-left font-medium whitespace-nowrap">{difference.what}</th>
              <td className="py-1 pr-3 font-mono break-words"><del className="decoration-1">{difference.from}</del></td>
              <td className="py-1 font-mono break-words"><ins className="decoration-1 underline-offset-2">{difference.to}</ins></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
