import type { Metadata } from 'next';
import { Mono } from '@/app/_ui';
import { ERROR_CODES, type ErrorCode } from '@/lib/claims';
import { DocHeader, DocHeading, Prose } from '../_components/doc';

export const metadata: Metadata = { title: 'Error codes', description: 'Every error code: what it means for the call, and what to do.' };

const PLACES: { where: ErrorCode['where']; id: string; title: string; text: string }[] = [
  { where: 'data plane', id: 'data-plane', title: 'Data plane', text: 'Answers of /v1/* other than 200. The body is {"error":{"message","type","code","param","metadata"}}; metadata.attempts lists the tiers that were tried. An answer with Retry-After may be sent again by then; every other one carries x-should-retry: false, a 429 for spent quota among them.' },
  { where: 'in a stream', id: 'in-a-stream', title: 'In a stream', text: 'The status was sent with the first content, so the error is the last frame. [DONE] does not follow it.' },
  { where: 'management API', id: 'management-api', title: 'Management API', text: 'Answers of /api/v1/* are problem details (RFC 9457) with these codes.' },
];

export default function ErrorsPage() {
  return (
    <>
      <DocHeader title="Error codes" lead="What happened, what it means for the call, and what to do. Each code has an anchor of its own." />
      {PLACES.map((place) => (
        <section key={place.where} aria-labelledby={place.id}>
          <DocHeading id={place.id}>{place.title}</DocHeading>
          <Prose><p className="text-sm text-muted">{place.text}</p></Prose>
          <dl className="mt-4 max-w-3xl divide-y divide-line border-y border-line">
            {ERROR_CODES.filter((entry) => entry.where === place.where).map((entry) => <Entry key={entry.code} entry={entry} />)}
          </dl>
        </section>
      ))}
    </>
  );
}

/** The plain anchor belongs to the place that names it in its answers: the management API links here by code. */
function Entry({ entry }: { entry: ErrorCode }) {
  const elsewhere = ERROR_CODES.some((other) => other.code === entry.code && other.where === 'management API');
  const id = entry.where !== 'management API' && elsewhere ? `${entry.where.replaceAll(' ', '-')}-${entry.code}` : entry.code;
  return (
    <div id={id} className="scroll-mt-20 py-3 target:bg-accent-soft">
      <dt className="flex flex-wrap items-baseline gap-x-3">
        <a href={`#${id}`} className="hover:underline"><Mono className="font-medium">{entry.code}</Mono></a>
        <span className="text-sm text-muted tabular-nums">{entry.status ?? 'last frame of a 200 stream'}</span>
      </dt>
      <dd className="mt-1 text-sm">{entry.meaning}</dd>
      <dd className="mt-0.5 text-sm text-muted">{entry.remedy}</dd>
    </div>
  );
}
