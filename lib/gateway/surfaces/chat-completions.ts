import type { UsageRow } from '../../metering/call-row';
import type { Frame } from '../../wire';
import type { Answer } from '../attempt/answer';

/** `asked`: the client set include_usage; `silent`: it said nothing; `declined`: it set it to false. */
export type UsageWish = 'asked' | 'silent' | 'declined';

/** Writes one stream in OpenAI's chat.completion.chunk dialect. Strings out; whoever calls it owns the socket. */
export interface StreamWriter {
  /** What the client gets for an upstream frame; empty when it gets nothing. */
  frame(frame: Frame): string;
  /** An empty delta, to bridge a long gap: comments crash real clients. */
  bridge(answer: Answer): string;
  /** Everything after the last content: stashed frames, usage, a note of dropped frames, `[DONE]`. */
  closing(stash: readonly Frame[], answer: Answer, malformedEvents: number, estimate: () => EstimatedUsage): string;
}

export interface EstimatedUsage {
  usage: UsageRow;
  estimated: (keyof UsageRow)[];
}

export const DONE = 'data: [DONE]\n\n';

export function createStreamWriter(wish: UsageWish, callId: string, now: () => number): StreamWriter {
  let usageSent = false;

  const payload = (frame: Frame): string | null => {
    if (frame.data === null) return null;
    if (!frame.events.some((event) => event.type === 'usage')) return frame.data;
    const alone = !frame.events.some((event) => event.type !== 'usage' && event.type !== 'identity');
    if (!alone) {
      usageSent = true;
      return frame.data;
    }
    if (wish === 'declined') return null;
    usageSent = true;
    return wish === 'asked' ? frame.data : withEmptyDelta(frame.data);
  };

  const chunk = (answer: Answer, rest: object): string => {
    const { id, created, model } = answer.identity ?? { id: callId, created: Math.floor(now() / 1000), model: '' };
    return JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...rest });
  };

  return {
    frame(frame) {
      // The common frame: text, nothing to rewrite.
      const data = frame.events.length === 1 && frame.events[0]!.type !== 'usage' ? frame.data : payload(frame);
      return data === null ? '' : `data: ${data}\n\n`;
    },
    bridge: (answer) => `data: ${chunk(answer, { choices: [EMPTY_DELTA] })}\n\n`,
    closing(stash, answer, malformedEvents, estimate) {
      const payloads = stash.map(payload).filter((data) => data !== null);
      if (!usageSent && wish !== 'declined' && answer.usage === null) {
        const { usage, estimated } = estimate();
        const choices = wish === 'asked' ? [] : [EMPTY_DELTA];
        payloads.push(chunk(answer, { choices, usage: { ...usage, source: 'estimate', estimated } }));
      }
      if (malformedEvents > 0) {
        const last = payloads.pop() ?? chunk(answer, { choices: [EMPTY_DELTA] });
        payloads.push(withMember(last, `"ohm":{"malformed_events":${malformedEvents}}`));
      }
      return payloads.map((data) => `data: ${data}\n\n`).join('') + DONE;
    },
  };
}

const EMPTY_DELTA = { index: 0, delta: {}, finish_reason: null };

/** OpenAI sends usage with `choices: []`; clients that index `choices[0]` without having asked for it must not break. */
function withEmptyDelta(data: string): string {
  const parsed = JSON.parse(data) as Record<string, unknown>;
  parsed.choices = [EMPTY_DELTA];
  return JSON.stringify(parsed);
}

/** Adds a member to the text of a JSON object without touching the rest of it. */
function withMember(object: string, member: string): string {
  const end = object.lastIndexOf('}');
  const empty = object.slice(0, end).trim() === '{';
  return `${object.slice(0, end)}${empty ? '' : ','}${member}}`;
}

/** How a client asked for usage. `stream_options` that is no object was refused before. */
export function usageWish(streamOptions: unknown): UsageWish {
  if (typeof streamOptions !== 'object' || streamOptions === null) return 'silent';
  const value = (streamOptions as { include_usage?: unknown }).include_usage;
  return value === true ? 'asked' : value === false ? 'declined' : 'silent';
}
