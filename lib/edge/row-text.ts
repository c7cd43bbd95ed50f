import type { CallRow } from '../metering/call-row';

/** What is each call's own in the rows of calls that got the same stored answer for the same request. */
const OWN = ['id', 'created_at', 'finished_at', 'flushed_bytes', 'first_content_ms', 'duration_ms'] as const satisfies readonly (keyof CallRow)[];
export type OwnFigures = Pick<CallRow, (typeof OWN)[number]>;

/** The JSON of a row, ready but for those members: all others are written once, not for every call. */
export function rowText(row: CallRow): (own: OwnFigures) => string {
  const texts = ['{'];
  const slots: (keyof OwnFigures)[] = [];
  for (const name of Object.keys(row) as (keyof CallRow)[]) {
    if (row[name] == null && !isOwn(name)) continue; // left out, like in every row
    const text = JSON.stringify(row[name]);
    const before = texts.length === 1 && texts[0] === '{' ? '' : ',';
    texts[texts.length - 1] += `${before}"${name}":`;
    if (isOwn(name)) {
      slots.push(name);
      texts.push('');
    } else texts[texts.length - 1] += text;
  }
  texts[texts.length - 1] += '}';
  return (own) => {
    let json = texts[0]!;
    for (let at = 0; at < slots.length; at++) json += JSON.stringify(own[slots[at]!]) + texts[at + 1]!;
    return json;
  };
}

const isOwn = (name: keyof CallRow): name is keyof OwnFigures => (OWN as readonly string[]).includes(name);
