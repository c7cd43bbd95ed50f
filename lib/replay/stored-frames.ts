import type { Frame, StreamEvent } from '../wire';

/** Some clients refuse a line of more than 64 KiB; a piece stays far below it, however much of it has to be escaped. */
const PIECE = 4_096;

/**
 * A stored answer as the frames of a stream: one event each, long texts in pieces. The usage that was told first comes
 * before everything: of a JSON answer it stood at the end, and some surfaces tell part of it when they begin.
 */
export function storedFrames(events: readonly StreamEvent[]): Frame[] {
  const usage = events.find(({ type }) => type === 'usage');
  const ordered = usage === undefined ? events : [usage, ...events.filter((event) => event !== usage)];
  return ordered.flatMap(inPieces).map((event) => ({ data: null, name: '', events: [event] }));
}

function inPieces(event: StreamEvent): StreamEvent[] {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return pieces(event.text).map((text) => ({ ...event, text }));
    case 'tool_call':
      // Only its first piece says which call it is.
      return pieces(event.arguments).map((text, at) => (at === 0 ? { ...event, arguments: text } : { ...event, id: null, name: null, arguments: text }));
    default:
      return [event];
  }
}

function pieces(text: string): string[] {
  if (text.length <= PIECE) return [text];
  const cut: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--; // never between the halves of a character
    cut.push(text.slice(from, to));
    from = to;
  }
  return cut;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
