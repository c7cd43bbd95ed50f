import Link from 'next/link';
import type { ClaimView } from '@/lib/claims';
import { ClaimStatusChip } from '../../_components/claim-status';

/** The claims that rest on a section (`/docs/page#anchor`), with the status that the probes gave them just now. */
export function ClaimsHere({ claims, section }: { claims: ClaimView[]; section: string }) {
  const here = claims.filter((claim) => claim.docs.endsWith(section));
  if (here.length === 0) return null;
  return (
    <ul className="mb-4 flex max-w-3xl flex-col gap-1.5 text-sm" aria-label="Claims">
      {here.map((claim) => (
        <li key={claim.id} className="flex flex-wrap items-baseline gap-x-2">
          <ClaimStatusChip status={claim.status} />
          <Link className="link" href={`/honesty#${claim.id}`}>{claim.id.replaceAll('_', ' ')}</Link>
        </li>
      ))}
    </ul>
  );
}
