/** The pieces that both writers of response.* streams share. Clients tell events apart by the `event:` line or by `type`: both are there. */

export const eventOf = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

/** What the answer lost, beside the response in the event that ends it; null when nothing was. */
export function lossNote(malformedEvents: number, dropped: Iterable<string>, more: Record<string, unknown> = {}): string | null {
  const names = [...dropped];
  const note = { ...(malformedEvents > 0 ? { malformed_events: malformedEvents } : {}), ...(names.length > 0 ? { dropped: names } : {}), ...more };
  return Object.keys(note).length === 0 ? null : JSON.stringify(note);
}

/** Adds the note to the text of a JSON object, whatever else stands in it. */
export function withNote(object: string, note: string | null): string {
  if (note === null) return object;
  return `${object.slice(0, object.lastIndexOf('}')).trimEnd()},"ohm":${note}}`;
}
