import { isObject, nonEmpty, type StreamEvent } from '../../wire';

type Detail = Record<string, unknown>;

/**
 * OpenRouter's `reasoning_details`: what was thought, block by block, with what signs it and whose signature that is.
 * The text stands in `reasoning` too, where blocks cannot be told apart: a signature is worth nothing with another text
 * than its own, so theirs counts. Summaries are signed by nobody.
 * https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
 */
export function readDetails({ reasoning_content: long, reasoning: short, reasoning_details: details }: Record<string, unknown>, choice: number, events: StreamEvent[]): void {
  const list: unknown[] = Array.isArray(details) ? details : [details];
  const spoken = nonEmpty(long) ?? nonEmpty(short);
  const spelled = nonEmpty(long) === null ? ({ spelled: 'reasoning' } as const) : {};
  const say = (text: string) => void (text !== '' && events.push({ type: 'reasoning', choice, text, ...spelled, detailed: true }));

  const inBlocks = list.map(textOf).join('');
  if (inBlocks === '') say(spoken ?? list.map(summaryOf).filter((summary) => summary !== '').join('\n\n'));
  else if (spoken !== null && spoken !== inBlocks) events.push({ type: 'dropped', what: 'reasoning' });
  for (const detail of list) {
    if (!isObject(detail) || !KINDS.has(detail.type)) {
      events.push({ type: 'dropped', what: 'reasoning_details' });
      continue;
    }
    say(textOf(detail));
    sign(detail, choice, events);
  }
}

const KINDS: ReadonlySet<unknown> = new Set(['reasoning.text', 'reasoning.summary', 'reasoning.encrypted']);

const textOf = (detail: unknown): string => (isObject(detail) && detail.type === 'reasoning.text' ? (nonEmpty(detail.text) ?? '') : '');
const summaryOf = (detail: unknown): string => (isObject(detail) && detail.type === 'reasoning.summary' ? (nonEmpty(detail.summary) ?? '') : '');

/** Who signed it has to be known, or it could be sent to the wrong one. */
function sign({ type, signature, data, format }: Detail, choice: number, events: StreamEvent[]): void {
  const encrypted = type === 'reasoning.encrypted';
  const sealed = nonEmpty(encrypted ? data : signature);
  if (sealed === null && !encrypted) return;
  if (sealed === null || typeof format !== 'string' || !FORMAT.test(format)) return void events.push({ type: 'dropped', what: 'reasoning_details' });
  events.push({ type: 'signature', choice, format, kind: encrypted ? 'encrypted' : 'signature', data: sealed, tool: null, detailed: true });
}

/** As the surfaces can carry it to the next turn. */
const FORMAT = /^[\w.-]{1,64}$/;
