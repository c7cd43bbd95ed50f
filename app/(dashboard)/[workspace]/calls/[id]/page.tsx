import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { requireMember } from '@/app/_auth/session';
import { Breadcrumbs, CodeBlock, CopyButton, Facts, formatBytes, formatCounted, formatDuration, Mono, PageHeader, Section, StateChip, Time } from '@/app/_ui';
import { CallTimeline, describeCall, endingOf, inBytes, TimelineLegend } from '@/app/_ui/timeline';
import { runtime } from '@/lib/boot';
import { keyListQuery, type KeptTexts } from '@/lib/management/schemas';
import { findCall, type CallRow } from '@/lib/metering';
import { isRefusal } from '@/lib/std';
import { type Actor, getKeptTexts, listKeys, mayAct, type Tenancy } from '@/lib/tenancy';
import { asCurl } from '../_components/as-curl';
import { AttemptTable } from '../_components/attempt-table';
import { alertWords, costReason, costWords, USAGE_NAMES, usageSourceWords } from '../_components/call-words';
import { EcoChoices } from '../_components/eco-choice';
import { SaverReceipt } from '../_components/saver-receipt';
import { NOT_ON_RECORD, sentHeaders } from '../_components/sent-headers';

/** Asked here too: what is not there must not have this page's title. */
export async function generateMetadata({ params }: { params: Promise<{ workspace: string; id: string }> }): Promise<Metadata> {
  const { workspace, id } = await params;
  const { actor } = await requireMember(workspace);
  const { ledger } = await runtime();
  if ((await findCall(ledger, actor.workspaceId, id)) === undefined) notFound();
  return { title: 'Call' };
}

export default async function CallPage({ params }: { params: Promise<{ workspace: string; id: string }> }) {
  const { workspace, id } = await params;
  const { actor } = await requireMember(workspace);
  const { ledger, tenancy, env } = await runtime();
  const [call, keys, texts] = await Promise.all([findCall(ledger, actor.workspaceId, id), listKeys(tenancy, actor, keyListQuery.parse({ limit: 100 })), textsFor(tenancy, actor, id)]);
  if (call === undefined) notFound();
  const calls = `/${workspace}/calls`;
  const keyName = keys.data.find((key) => key.id === call.key_id)?.name;
  return (
    <>
      <Breadcrumbs items={[{ label: 'Calls', href: calls }, { label: `…${call.id.slice(-6)}` }]} />
      <PageHeader
        title={<span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">Call <Mono className="min-w-0 break-all">{call.id}</Mono></span>}
        actions={
          <>
            <CopyButton text={call.id} label="Copy id" size="md" />
            <CopyButton text={`${env.publicUrl}${calls}/${call.id}`} label="Copy permalink" size="md" />
          </>
        }
      >
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <StateChip state={endingOf(call)} />
          <span className="text-muted"><Time at={call.created_at} /></span>
        </p>
      </PageHeader>

      <Section title="Timeline" lead={describeCall(call)}>
        <CallTimeline call={call} caption={false} />
        <div className="mt-3"><TimelineLegend /></div>
      </Section>

      <Section bare title="Attempts" lead="One line for each upstream request and each skipped tier, in the order of the walk. Nothing of a dropped attempt ever reached the client.">
        <AttemptTable call={call} />
      </Section>

      {call.eco ? <EcoChoices rows={call.eco} /> : null}
      <SaverReceipt call={call} savings={`/${workspace}/savings?key=${encodeURIComponent(call.key_id)}`} texts={texts} />

      <div className="grid gap-x-6 lg:grid-cols-2">
        <Section title="What the client got">
          <Answer call={call} calls={calls} />
        </Section>
        <Section title="Usage and cost">
          <Usage call={call} />
        </Section>
        <Section title="What was asked">
          <Facts
            items={[
              { name: 'Model named', value: call.requested_model ? <Mono>{call.requested_model}</Mono> : 'not known: it was refused before its body was read' },
              { name: 'Route', value: call.route ? <Link className="link font-mono" href={`${calls}?route=${encodeURIComponent(call.route)}`}>{call.route}</Link> : 'not known: it was refused before a route was found' },
              { name: 'Key', value: <Link className="link" href={`${calls}?key=${encodeURIComponent(call.key_id)}`}>{keyName ?? call.key_id}</Link> },
              { name: 'Form', value: formOf(call) },
              { name: 'Request body', value: <span title={inBytes(call.request_bytes)}>{formatBytes(call.request_bytes)}; the body itself is not kept</span> },
              { name: 'Came', value: <Time at={call.created_at} /> },
              { name: call.state === 'lost' ? 'Loss noticed' : 'Ended', value: <Time at={call.finished_at} /> },
              { name: 'Took', value: call.duration_ms === null ? UNRECORDED : formatDuration(call.duration_ms) },
            ]}
          />
        </Section>
        <Section title="Gateway headers of the answer" lead={`As this row determines them. Not on record, whether sent or not: ${NOT_ON_RECORD.join(', ')} and the headers of the connection itself.`}>
          <Headers call={call} />
        </Section>
      </div>

      <Section bare title="As curl" lead="The body was not kept: put your own in place of each “…”. The key stays a variable.">
        <div className="grid gap-3 lg:grid-cols-2">
          <CodeBlock title="A request of this shape" text={asCurl(env.publicUrl, call)} />
          <CodeBlock title="This row from the management API" text={`curl ${env.publicUrl}/api/v1/calls/${call.id} \\\n  -H "Authorization: Bearer $OHM_MANAGEMENT_KEY"`} />
        </div>
      </Section>
    </>
  );
}

/** What is kept of its rewritten texts; null where nothing is, or where the reader may not see it. */
async function textsFor(tenancy: Tenancy, actor: Actor, callId: string): Promise<KeptTexts | null> {
  if (!mayAct(actor.role, 'developer')) return null;
  try {
    return await getKeptTexts(tenancy, actor, { callId });
  } catch (error) {
    if (isRefusal(error) && error.code === 'not_found') return null;
    throw error;
  }
}

/** Of a lost call, of which the ledger holds only how it began. */
const UNRECORDED = 'not known: the process ended before it could be recorded';

function formOf(call: CallRow): string {
  if (call.stream === null) return `${call.surface}; whether streamed is not known`;
  return `${call.surface}, ${call.stream ? 'streamed' : 'not streamed'}, commit ${call.commit === 'complete' ? 'when complete' : 'at the first content'}`;
}

function Answer({ call, calls }: { call: CallRow; calls: string }) {
  const alert = alertWords(call);
  const none = call.state === 'lost' ? UNRECORDED : null;
  return (
    <Facts
      items={[
        { name: 'Status', value: call.status === null ? (none ?? 'none: the client left before any') : String(call.status) },
        ...(call.error_code === null ? [] : [{ name: 'Error code', value: <Mono>{call.error_code}</Mono> }]),
        ...(alert === null ? [] : [{ name: 'Failure', value: <>{alert} <Link className="link" href={`${calls}?class=${call.alert_class}`}>Calls like this</Link></> }]),
        { name: 'Flushed', value: call.flushed_bytes === null ? (none ?? 'not known: the client left in the middle of the last write') : inBytes(call.flushed_bytes) },
        { name: 'First content', value: call.first_content_ms === null ? (none ?? 'none') : formatDuration(call.first_content_ms) },
        { name: 'Finish reason', value: call.finish_reason === null ? (none ?? 'none') : <Mono>{call.finish_reason}</Mono> },
        ...(call.model === null ? [] : [{ name: 'Served by', value: <>tier {call.tier}, <Mono>{call.model}</Mono> at {call.provider}</> }]),
        ...(call.model_reported === null || call.model_reported === call.model ? [] : [{ name: 'The provider calls it', value: <Mono>{call.model_reported}</Mono> }]),
        ...(call.malformed_events ? [{ name: 'Unreadable events', value: `${call.malformed_events} dropped, never relayed` }] : []),
        { name: 'Replay', value: call.replay === 'HIT' ? 'a stored answer was served again' : call.replay === 'MISS' ? 'looked for, none was stored' : call.replay === 'BYPASS' ? 'not looked for' : (none ?? 'one was stored; the call was refused before it was served') },
      ]}
    />
  );
}

function Usage({ call }: { call: CallRow }) {
  const { usage } = call;
  const counted = usage === null ? [] : (Object.keys(USAGE_NAMES) as (keyof typeof USAGE_NAMES)[]);
  return (
    <>
      <Facts
        items={[
          ...counted.map((member) => ({
            name: USAGE_NAMES[member],
            value: (
              <span className="tabular-nums">
                {usage![member] === null ? <span className="text-muted">not reported</span> : formatCounted(usage![member], 'token')}
                {call.usage_estimated.includes(member) ? <span className="text-muted"> (estimate)</span> : null}
              </span>
            ),
          })),
          { name: 'Cost', value: <span title={call.cost_nano_usd === null ? undefined : `${call.cost_nano_usd} nano-USD`}>{costWords(call)}</span> },
        ]}
      />
      <p className="mt-3 text-xs text-muted">{usageSourceWords(call)} {costReason(call)}</p>
    </>
  );
}

function Headers({ call }: { call: CallRow }) {
  const headers = sentHeaders(call);
  if (headers === null) return <p className="text-sm text-muted">{UNRECORDED.charAt(0).toUpperCase()}{UNRECORDED.slice(1)}.</p>;
  if (headers.length === 0) return <p className="text-sm text-muted">None: the client left before any header was sent.</p>;
  return <Facts items={headers.map(([name, value]) => ({ name: <Mono>{name}</Mono>, value: <Mono>{value}</Mono> }))} />;
}
