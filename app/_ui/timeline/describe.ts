import type { AttemptRow, CallRow, CallState, SkipReason } from '../../../lib/metering/call-row';
import type { FailureClass } from '../../../lib/wire';
import { isSameTarget, layoutCall, type Lane, type TimelineCall } from './layout';
import { formatDuration } from '../figures';
import { STATES } from '../state';

/** A call in sentences: the drawing's text alternative, and the reasons in the table of attempts. */

export type DescribedCall = TimelineCall &
  Pick<CallRow, 'status' | 'alert_class'> & {
    /** Set for a test of a route: no client is there, and the tier `failTier` (1-based) was made to fail without asking anybody. */
    trial?: { failTier: number | null };
  };

/** The whole call in two or three sentences. */
export function describeCall(call: DescribedCall): string {
  if (call.state === 'lost') return 'The process ended before this call could be recorded: which tiers were asked, whether one committed and how it ended for the client is not known.';
  const { commit, lanes } = layoutCall(call);
  const tried = lanes.filter((lane) => lane.state !== 'skipped');
  const served = commit === null ? null : lanes[commit.lane]!;
  const parts = [
    served !== null && commit !== null
      ? `Tier ${served.tier} (${served.model} on ${served.connection}) committed after ${formatDuration(commit.ms)}.`
      : call.replay === 'HIT'
        ? 'A stored answer was replayed; no upstream was contacted.'
        : `Nothing committed: ${tried.length === 0 ? 'no tier was asked' : 'no tier sent content'}.`,
    beforeIt(call, lanes, served !== null),
    endOfCall(call),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function beforeIt(call: DescribedCall, lanes: readonly Lane[], served: boolean): string {
  const onPurpose = (lane: Lane) => call.trial !== undefined && lane.tier === call.trial.failTier;
  const count = (test: (lane: Lane) => boolean) => lanes.filter(test).length;
  const failed = count((lane) => lane.state === 'failed' && !onPurpose(lane));
  const skipped = count((lane) => lane.state === 'skipped');
  const aborted = served ? 0 : count((lane) => lane.state === 'aborted');
  const words = [
    lanes.some(onPurpose) ? `tier ${call.trial!.failTier} was made to fail and its provider not asked` : '',
    failed > 0 ? `${failed} upstream ${failed === 1 ? 'request' : 'requests'} ${served ? 'before it ' : ''}failed ${call.trial ? 'before any content' : 'with nothing sent to the client'}` : '',
    aborted > 0 ? `${aborted} upstream request was aborted with nothing sent to the client` : '',
    skipped > 0 ? `${skipped} ${skipped === 1 ? 'tier was' : 'tiers were'} skipped` : '',
  ].filter((word) => word !== '');
  return words.length === 0 ? '' : `${capital(words.join('; '))}.`;
}

function endOfCall(call: DescribedCall): string {
  const time = call.duration_ms === null ? 'an unknown time' : formatDuration(call.duration_ms);
  if (call.trial) return TRIAL_ENDS[call.state](time);
  if (call.state === 'aborted' && call.flushed_bytes === null) return `The client left in the middle of the last write, which was made after ${time}; how much of it was taken is not known.`;
  const bytes = inBytes(call.flushed_bytes ?? 0);
  return (
    {
      finished: `Finished after ${time} with ${bytes} flushed.`,
      truncated: `Truncated after ${time}: ${bytes} had been flushed, the last of them an error frame that says so, without [DONE].`,
      rejected: `Rejected after ${time}${call.status === null ? '' : ` with status ${call.status}`}: one JSON error of ${bytes}, no part of an answer.`,
      aborted: `The client left after ${time}, with ${bytes} flushed.`,
      lost: 'How it ended for the client is not known.',
    } satisfies Record<CallState, string>
  )[call.state];
}

const TRIAL_ENDS = {
  finished: (time) => `Finished after ${time}.`,
  truncated: (time) => `Truncated after ${time}: a client would have got an error frame that says so, without [DONE].`,
  rejected: (time) => `Rejected after ${time}: a client would have got one JSON error and no part of an answer.`,
  aborted: (time) => `The test was given up after ${time}.`,
  lost: () => 'How the test ended is not known.',
} satisfies Record<CallState, (time: string) => string>;

/** What became of one attempt and why the walk went on, or did not. */
export function describeAttempt(call: Omit<DescribedCall, 'alert_class'>, index: number): string {
  const attempt = call.attempts[index]!;
  const next = call.attempts.slice(index + 1).find((later) => later.state !== 'skipped');
  const { trial } = call;
  const began = attempt.first_content_ms === null ? 'Answered in full' : `First content after ${formatDuration(attempt.first_content_ms)}, then answered in full`;
  switch (attempt.state) {
    case 'skipped':
      return `Skipped: ${skipWords[attempt.skip_reason ?? 'degraded']}.`;
    case 'failed':
      if (trial?.failTier === attempt.tier) return `Made to fail by this test; its provider was not asked${next !== undefined && isSameTarget(next, attempt) ? ', nor for the retry that such a failure gets.' : afterFailure(call, attempt, next)}`;
      return `${failureSentence(attempt)} ${trial ? 'It had sent no content' : 'Nothing of it had been sent to the client'}${afterFailure(call, attempt, next)}`;
    case 'finished':
      if (call.state === 'aborted' && !trial) return `${began}; the client left before the end of it had arrived.`;
      return trial ? `${began}, in ${inBytes(attempt.bytes)}.` : `${began}; ${inBytes(attempt.bytes)} of it reached the client.`;
    case 'truncated':
      return `${failureSentence(attempt)} ${inBytes(attempt.bytes)} of it had ${trial ? 'come' : 'been sent'}, so the answer was cut with an error frame and no other tier was asked.`;
    case 'aborted':
      if (trial) return 'The test was given up; the upstream request was aborted at once and no further tier was tried.';
      return attempt.bytes > 0
        ? `The client left when ${inBytes(attempt.bytes)} had reached it; the upstream request was aborted at once.`
        : 'The client left before anything was sent; the upstream request was aborted at once and no further tier was tried.';
  }
}

function failureSentence(attempt: AttemptRow): string {
  if (attempt.class === null) return 'Failed for a reason that was not recorded.';
  const status = attempt.upstream_status;
  const said = status !== null && status >= 400 ? ` (status ${status})` : '';
  return `${capital(wordsOfFailure(attempt.class, attempt.message))}${said}.`;
}

function afterFailure(call: Omit<DescribedCall, 'alert_class'>, attempt: AttemptRow, next: AttemptRow | undefined): string {
  if (next !== undefined && isSameTarget(next, attempt)) return ', so the same tier was asked once more on a fresh connection.';
  if (next !== undefined && next.tier === attempt.tier) return `, so the next candidate of the same tier was asked: ${next.model} on ${next.connection}.`;
  if (next !== undefined) return `, so the walk went on to tier ${next.tier}.`;
  if (call.state === 'aborted') return `; ${call.trial ? 'the test was given up' : 'the client left'} before another tier was tried.`;
  if (attempt.class === 'invalid_request' || attempt.class === 'content_policy') {
    return ', and the refusal was returned: it is about the request, so no other tier is asked to overrule it.';
  }
  const left = call.attempts.at(-1)?.state === 'skipped' ? 'and the tiers after it were skipped' : 'and no tier was left';
  return call.status === null ? `, ${left}.` : `, ${left}: the call was rejected with status ${call.status}.`;
}

/** Why a tier stood out, as the end of "Skipped: …". */
export const skipWords = {
  degraded: 'it, or its connection, had failed a moment ago and was still cooling down',
  cannot_represent: 'it cannot carry something that this request asks for',
  budget: 'the budget that is left cannot cover it',
  deadline: "under a second was left of the route's deadline",
} as const satisfies Record<SkipReason, string>;

/** What happened upstream, as a clause. One spelling per class, wherever the class is shown. */
export const failureWords = {
  connect: 'no connection could be made',
  rate_limited: 'the provider is limiting the rate',
  quota: "the provider account's money or quota is spent",
  auth: 'the provider did not accept the credential',
  not_found: 'the provider does not know the model or address',
  server_error: 'the provider failed',
  overloaded: 'the provider is overloaded',
  timeout: 'no answer came within the time-out',
  stalled: 'the stream went silent past its time-out',
  cut: 'the connection broke before the answer was complete',
  malformed: 'the provider sent something that cannot be read',
  not_a_stream: 'the provider answered with something other than an event stream',
  too_large: 'the request or the answer is larger than allowed',
  context_length: "the request is longer than the model's context",
  invalid_request: 'the provider refused the request as invalid',
  content_policy: 'the provider refused the content',
  deadline: "the route's deadline ran out",
  draining: 'the gateway was shutting down',
} as const satisfies Record<FailureClass, string>;

/**
 * The same of one attempt, whose message may say more than its class: `connect` is everything before an answer, and a
 * provider that took the connection was reached.
 */
export function wordsOfFailure(cls: FailureClass, message: string | null): string {
  return cls === 'connect' && message !== null && REACHED.has(message) ? `the provider was reached, but ${message}` : failureWords[cls];
}

/** The sentences of lib/outbound for what happens once a connection stands. */
const REACHED = new Set(['the connection ended before an answer came', 'the answer is not valid HTTP']);

/** A lane's name: `Tier 2, gpt-4o-mini on main (asked again)`. */
export function laneName(lane: Pick<Lane, 'tier' | 'model' | 'connection' | 'retry'>): string {
  return `Tier ${lane.tier}, ${lane.model} on ${lane.connection}${lane.retry ? ' (asked again)' : ''}`;
}

function capital(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

const COUNT = new Intl.NumberFormat('en-US');

/** `5,312 bytes`: exact, because flushed bytes are a promise and not a magnitude. */
export function inBytes(bytes: number): string {
  return `${COUNT.format(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`;
}
