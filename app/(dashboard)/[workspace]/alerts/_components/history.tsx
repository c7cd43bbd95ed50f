import Link from 'next/link';
import { Chip, Time } from '@/app/_ui';
import type { AlertEventView } from '@/lib/management/schemas';
import { DELIVERY_LOOK, EVENT_LOOK } from './alert-words';

/** What happened, newest first, and who was told. */
export function History({ events, slug }: { events: AlertEventView[]; slug: string }) {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
      {events.map((event) => (
        <li key={event.id} className="grid gap-1 p-3 text-sm">
          <div className="flex flex-wrap items-center gap-2">
            <Chip tone={EVENT_LOOK[event.type].tone}>{EVENT_LOOK[event.type].word}</Chip>
            <Time at={event.at} className="text-xs text-muted" />
            {event.muted ? <Chip tone="off">muted</Chip> : null}
          </div>
          <p className="break-words">{event.summary} {event.latest_call === null ? null : <Link className="link whitespace-nowrap" href={`/${slug}/calls/${event.latest_call.id}`}>Latest call</Link>}</p>
          {event.deliveries.length === 0 ? null : (
            <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
              {event.deliveries.map(({ id, channel, state }) => <li key={id} className="flex items-center gap-1">{channel ?? 'deleted channel'} <Chip tone={DELIVERY_LOOK[state].tone}>{DELIVERY_LOOK[state].word}</Chip></li>)}
            </ul>
          )}
        </li>
      ))}
    </ol>
  );
}
