/** The pieces that both writers of event streams share. The official client drops an event without its `event:` line. */

export const eventOf = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

export const PING = eventOf('ping', '{"type":"ping"}');
export const MESSAGE_STOP = '{"type":"message_stop"}';

/** What the answer lost, for the last event that can carry it: this API has no place of its own for that. */
export function lossNote(malformedEvents: number, dropped: Iterable<string>, native: string | null = null): string | null {
  const names = [...dropped];
  if (malformedEvents === 0 && names.length === 0 && native === null) return null;
  return JSON.stringify({
    ...(malformedEvents > 0 ? { malformed_events: malformedEvents } : {}),
    ...(names.length > 0 ? { dropped: names } : {}),
    ...(native === null ? {} : { native_finish_reason: native }),
  });
}

/** Adds the note to the text of a JSON object, whatever else stands in it. */
export function withNote(object: string, note: string | null): string {
  if (note === null) return object;
  const end = object.lastIndexOf('}');
  return `${object.slice(0, end).trimEnd()},"ohm":${note}}`;
}
