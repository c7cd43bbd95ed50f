import { formatBytes, formatDuration, Mono, StateChip, Table, TBody, Td, TdName, Th, THead, TRow, formatCounted } from '@/app/_ui';
import { describeAttempt } from '@/app/_ui/timeline';
import type { AttemptRow, CallRow } from '@/lib/metering/call-row';

/** Why each tier was skipped, left or kept, in sentences beside the figures. */
export function AttemptTable({ call }: { call: CallRow }) {
  if (call.attempts.length === 0) {
    return <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">{nothingAsked(call)}</p>;
  }
  return (
    <Table caption="Attempts in the order of the walk" className="[&_:is(th,td)]:px-2 [&_th]:whitespace-normal [&_th]:align-bottom">
      <THead>
        <Th figure>Tier</Th>
        <Th>Model</Th>
        <Th>Ended</Th>
        <Th className="min-w-60">What happened, and why the walk went on or not</Th>
        <Th>Class</Th>
        <Th figure>Status</Th>
        <Th figure>Began</Th>
        <Th figure>First content</Th>
        <Th figure>Took</Th>
        <Th figure>Bytes to the client</Th>
      </THead>
      <TBody>
        {call.attempts.map((attempt, index) => (
          <TRow key={index}>
            <Td figure className="align-top">{attempt.tier}</Td>
            <TdName className="min-w-28 align-top"><Mono>{attempt.model}</Mono> <span className="text-muted">on {attempt.connection}</span></TdName>
            <Td className="align-top"><StateChip state={attempt.state} /></Td>
            <Td className="align-top"><Told call={call} attempt={attempt} index={index} /></Td>
            <Td className="align-top">{(attempt.class ?? attempt.skip_reason)?.replaceAll('_', ' ') ?? <Dash words="none" />}</Td>
            <Td figure className="align-top">{attempt.upstream_status ?? <Dash words={attempt.state === 'skipped' ? 'not asked' : 'no answer'} />}</Td>
            <Td figure className="align-top">{formatDuration(attempt.started_ms)}</Td>
            <Td figure className="align-top">{attempt.first_content_ms === null ? <Dash words="none" /> : formatDuration(attempt.first_content_ms)}</Td>
            <Td figure className="align-top">{attempt.state === 'skipped' ? <Dash words="not asked" /> : formatDuration(attempt.duration_ms)}</Td>
            <Td figure className="align-top"><span title={formatCounted(attempt.bytes, 'byte')}>{formatBytes(attempt.bytes)}</span></Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function Told({ call, attempt, index }: { call: CallRow; attempt: AttemptRow; index: number }) {
  return (
    <>
      <p>{describeAttempt(call, index)}</p>
      {attempt.message === null ? null : <p className="mt-0.5 text-xs text-muted">On record: {attempt.message}</p>}
      {attempt.usage === null ? null : (
        <p className="mt-0.5 text-xs text-muted">
          It reported {attempt.usage.prompt_tokens ?? 'unknown'} prompt and {attempt.usage.completion_tokens ?? 'unknown'} completion tokens; they are not part of the call’s usage.
        </p>
      )}
    </>
  );
}

function nothingAsked(call: CallRow): string {
  if (call.replay === 'HIT') return 'No upstream was asked: a stored answer was served again.';
  if (call.state === 'lost') return 'The process ended during this call; which tiers it had asked is not on record.';
  return 'No upstream was asked: the gateway refused the call itself.';
}

function Dash({ words }: { words: string }) {
  return (
    <span className="text-muted" title={words}>
      <span aria-hidden>–</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
