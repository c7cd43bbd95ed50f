import Link from 'next/link';
import { Notice } from '@/app/_ui';
import { listAlerts } from '@/lib/alerts';
import { runtime } from '@/lib/boot';
import type { Actor } from '@/lib/tenancy';

/** Names the alerts that fire; nothing when none does. */
export async function FiringNotice({ actor, slug }: { actor: Actor; slug: string }) {
  const firing = (await listAlerts(await runtime(), actor)).filter(({ state }) => state === 'firing');
  if (firing.length === 0) return null;
  return (
    <Notice tone="danger" title={firing.length === 1 ? 'An alert is firing' : `${firing.length} alerts are firing`} className="mb-6">
      <ul className="flex flex-wrap gap-x-4 gap-y-1">
        {firing.map(({ id, name }) => <li key={id}><Link className="link" href={`/${slug}/alerts/${id}`}>{name}</Link></li>)}
      </ul>
    </Notice>
  );
}
