import type { FailureClass } from '@/lib/wire';
import { openai } from '../harness';
import { type Cell, POSITIONS, tiersOf } from './cells';
import { BAD_FINISH, MENDED, SHOWN } from './kinds';

/** What the contract promises for one cell, worked out without the engine. */
export interface Expectation {
  status: number;
  /** The client's exact bytes, given the request id of the answer. */
  bytes(requestId: string): string;
  done: boolean;
  /** How often each tier is contacted. */
  contacts: number[];
  row: { state: 'finished' | 'truncated' | 'rejected'; tier: number | null; alert_class: string | null; malformed_events: number; error_code: string | null };
  attempts: { tier: number; state: string; class: FailureClass | null }[];
}

const GOOD = { id: 'chatcmpl-good', created: 1_700_000_000, model: 'good-model' };
const goodFrame = (delta: Record<string, unknown>, finish: string | null = null) => `data: ${JSON.stringify(openai.chunk(delta, finish, GOOD))}\n\n`;
export const GOOD_STREAM = `${goodFrame({ role: 'assistant', content: '' })}${goodFrame({ content: 'Hello' })}${goodFrame({ content: ' world' })}${goodFrame({}, 'stop')}data: ${JSON.stringify({ ...GOOD, object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 } })}\n\ndata: [DONE]\n\n`;
export const GOOD_JSON = JSON.stringify({ ...GOOD, object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content: 'Hello world' }, finish_reason: 'stop' }], usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }, vendor: { kept: [1, 2.0] } }).replace('2]', '2.00]');

/** Tiers before the faulty one answer 501: one contact, straight to the next. */
const BROKEN = { class: 'server_error' as const, status: 501 };

export function expectation(cell: Cell): Expectation {
  const at = POSITIONS.indexOf(cell.position);
  const { verdict } = cell.fault;
  const models = tiersOf(cell).map(({ model }) => model);
  const before = models.slice(0, at).map((_, index) => ({ tier: index + 1, state: 'failed', class: BROKEN.class as FailureClass | null }));
  const contactsBefore = before.map(() => 1);
  const none = (count: number) => Array.from({ length: count }, () => 0);
  const beforeClass = at > 0 ? 'server_error.before_content' : null;

  switch (verdict.outcome) {
    case 'dropped': {
      const dropped = Array.from({ length: verdict.contacts }, () => ({ tier: at + 1, state: 'failed', class: verdict.class as FailureClass | null }));
      const attempts = [...before, ...dropped];
      const row = { alert_class: `${verdict.class}.before_content`, malformed_events: 0 };
      if (at < 2) {
        return {
          status: 200,
          bytes: () => (cell.mode === 'stream' ? GOOD_STREAM : GOOD_JSON),
          done: cell.mode === 'stream',
          contacts: [...contactsBefore, verdict.contacts, 1, ...none(1 - at)],
          row: { ...row, state: 'finished', tier: at + 2, error_code: null },
          attempts: [...attempts, { tier: at + 2, state: 'finished', class: null }],
        };
      }
      const refused = rejectedAs(verdict.class);
      return {
        status: refused.status,
        bytes: () => JSON.stringify({ error: { message: refused.message, type: 'upstream_error', code: refused.code, param: null, metadata: { attempts: disclosed(cell, verdict.class, verdict.contacts, verdict.status) } } }),
        done: false,
        contacts: [...contactsBefore, verdict.contacts],
        row: { ...row, state: 'rejected', tier: null, error_code: refused.code },
        attempts,
      };
    }
    case 'returned': {
      const error = JSON.parse(errorText(cell)) as { error: { message: string; type: string } };
      return {
        status: verdict.status,
        bytes: () =>
          JSON.stringify({ error: { message: error.error.message, type: error.error.type, code: verdict.code, param: null, metadata: { attempts: disclosed(cell, verdict.class, 1, verdict.status) } } }),
        done: false,
        contacts: [...contactsBefore, 1, ...none(2 - at)],
        row: { state: 'rejected', tier: null, alert_class: `${verdict.class}.before_content`, malformed_events: 0, error_code: verdict.code },
        attempts: [...before, { tier: at + 1, state: 'failed', class: verdict.class }],
      };
    }
    case 'truncated':
      return {
        status: 200,
        bytes: (requestId) => SHOWN + truncationFrame(verdict.class, verdict.status, models[at]!, requestId, malformedIn(cell)),
        done: false,
        contacts: [...contactsBefore, 1, ...none(2 - at)],
        row: { state: 'truncated', tier: at + 1, alert_class: `${verdict.class}.after_content`, malformed_events: malformedIn(cell), error_code: 'stream_truncated' },
        attempts: [...before, { tier: at + 1, state: 'truncated', class: verdict.class }],
      };
    case 'mended':
      return {
        status: 200,
        bytes: () => mendedStream(),
        done: true,
        contacts: [...contactsBefore, 1, ...none(2 - at)],
        row: { state: 'finished', tier: at + 1, alert_class: beforeClass, malformed_events: 1, error_code: null },
        attempts: [...before, { tier: at + 1, state: 'finished', class: null }],
      };
  }
}

/** After a broken tier of another class the status is 502, or 504 when the last one was silent. */
function rejectedAs(cls: FailureClass): { status: number; code: string; message: string } {
  if (cls === BROKEN.class) return { status: 502, code: 'upstream_failed', message: 'Every tier that was asked failed.' };
  const message = 'Every tier that was asked failed, for different reasons; `metadata.attempts` lists them.';
  return { status: cls === 'timeout' || cls === 'stalled' ? 504 : 502, code: 'all_tiers_failed', message };
}

function disclosed(cell: Cell, cls: FailureClass, contacts: number, status: number | null) {
  const at = POSITIONS.indexOf(cell.position);
  const models = tiersOf(cell).map(({ model }) => model);
  const line = (tier: number, failed: FailureClass, upstreamStatus: number | null) => ({ tier, provider: 'custom', model: models[tier - 1], class: failed, upstream_status: upstreamStatus, state: 'failed', bytes: 0 });
  return [...models.slice(0, at).map((_, index) => line(index + 1, BROKEN.class, BROKEN.status)), ...Array.from({ length: contacts }, () => line(at + 1, cls, status))];
}

function truncationFrame(cls: FailureClass, status: number | null, model: string, requestId: string, _malformed: number): string {
  const error = {
    message: `The provider failed in the middle of the answer (${cls}). The answer above is incomplete; no other model was spliced in.`,
    type: 'upstream_error',
    code: 'stream_truncated',
    param: null,
    metadata: { state: 'committed', class: cls, upstream_status: status, flushed_bytes: Buffer.byteLength(SHOWN), provider: 'custom', model, request_id: requestId },
  };
  return `data: ${JSON.stringify({ error })}\n\n`;
}

/** The frame that was lost is named in the last JSON frame before `[DONE]`: here the usage chunk that the gateway itself adds. */
function mendedStream(): string {
  const usage = {
    id: 'chatcmpl-bad',
    object: 'chat.completion.chunk',
    created: 1_700_000_001,
    model: 'bad-model',
    choices: [],
    usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null, source: 'estimate', estimated: ['prompt_tokens', 'completion_tokens', 'total_tokens'] },
    ohm: { malformed_events: 1 },
  };
  return `${MENDED}${BAD_FINISH}data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`;
}

/** Frames dropped before the stream was cut. */
function malformedIn(cell: Cell): number {
  if (cell.name.startsWith('two frames')) return 2;
  return cell.name.startsWith('a page of HTML') ? 1 : 0;
}

/** The error that the upstream sent, as text. */
function errorText(cell: Cell): string {
  const sent = cell.fault.script.filter((step): step is { send: string } => typeof step === 'object' && 'send' in step && typeof step.send === 'string' && step.send.includes('"error"'));
  return sent.at(-1)!.send.replace(/^data: /, '').trim();
}
