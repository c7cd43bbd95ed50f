import { isAbsent, isObject, type Losses, nonEmpty } from '../../wire';
import type { Members } from './json-values';

/** The format of this wire's own signatures, as `reasoning_details` and the canonical events name it. */
export const FORMAT = 'anthropic-claude-v1';

/**
 * The thinking of an earlier answer as blocks, each as JSON text, where the client kept what signs it: unchanged and
 * in their order. Thinking without a signature, or with another wire's, cannot be given back and is named.
 */
export function signedThinking(message: Members, losses: Losses): string[] {
  const named = nonEmpty(message.reasoning_content) === null ? 'reasoning' : 'reasoning_content';
  const spoken = nonEmpty(message[named]);
  const entries = Array.isArray(message.reasoning_details) ? entriesOf(message.reasoning_details, losses) : [];
  if (spoken === null) return entries.map((entry) => JSON.stringify(entry));

  const textless = entries.filter(isTextless);
  // Whose text it is that stands apart: of the only signature without one. Of several, nobody can tell.
  if (textless.length === 1) textless[0]!.thinking = withoutTheOthers(spoken, entries, textless[0]!);
  const kept = textless.length > 1 ? entries.filter((entry) => !isTextless(entry)) : entries;
  if (kept.length < entries.length) losses.drop('reasoning_details');
  if (!kept.some(({ type }) => type === 'thinking')) losses.drop(named);
  return kept.map((entry) => JSON.stringify(entry));
}

/** Of several blocks the first one's text stands in the whole of it alone, the others' with their signatures too. */
function withoutTheOthers(spoken: string, entries: readonly Entry[], textless: Thinking): string {
  const at = entries.indexOf(textless);
  const textOf = (some: readonly Entry[]) => some.map((entry) => (entry.type === 'thinking' ? entry.thinking : '')).join('');
  const [before, after] = [textOf(entries.slice(0, at)), textOf(entries.slice(at + 1))];
  const known = before.length + after.length;
  return known > 0 && known <= spoken.length && spoken.startsWith(before) && spoken.endsWith(after) ? spoken.slice(before.length, spoken.length - after.length) : spoken;
}

interface Thinking {
  type: 'thinking';
  thinking: string;
  signature: string;
}

type Entry = Thinking | { type: 'redacted_thinking'; data: string };

const isTextless = (entry: Entry): entry is Thinking => entry.type === 'thinking' && entry.thinking === '';

/** Text may come in several entries, as it was streamed, with the signature in the last one. */
function entriesOf(details: readonly unknown[], losses: Losses): Entry[] {
  const entries: Entry[] = [];
  let text = '';
  for (const detail of details) {
    const own = isObject(detail) && detail.format === FORMAT;
    if (isObject(detail) && detail.type === 'reasoning.text' && (own || isAbsent(detail.format))) {
      text += nonEmpty(detail.text) ?? '';
      const signature = nonEmpty(detail.signature);
      if (signature === null) continue;
      if (own) entries.push({ type: 'thinking', thinking: text, signature });
      else losses.drop('reasoning_details');
      text = '';
      continue;
    }
    const data = own && detail.type === 'reasoning.encrypted' ? nonEmpty(detail.data) : null;
    if (data === null) losses.drop('reasoning_details');
    else entries.push({ type: 'redacted_thinking', data });
  }
  if (text !== '') losses.drop('reasoning_details'); // never signed
  return entries;
}
