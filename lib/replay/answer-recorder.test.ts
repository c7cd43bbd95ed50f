import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../wire';
import { AnswerRecorder, recordingRoom } from './answer-recorder';
import { storedFrames } from './stored-frames';

const text = (words: string, choice = 0): StreamEvent => ({ type: 'text', choice, text: words });
const recorded = (events: StreamEvent[], room = recordingRoom()) => {
  const recorder = new AnswerRecorder(room);
  for (const event of events) recorder.take(event);
  return recorder.answer();
};
/** Everything that is said, by choice and kind, whatever the pieces. */
const said = (events: readonly StreamEvent[]) => {
  const all = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'text' || event.type === 'reasoning' || event.type === 'refusal') all.set(`${event.choice} ${event.type}`, (all.get(`${event.choice} ${event.type}`) ?? '') + event.text);
    if (event.type === 'tool_call') all.set(`${event.choice} call ${event.index}`, (all.get(`${event.choice} call ${event.index}`) ?? '') + event.arguments);
  }
  return all;
};

describe('a recorder', () => {
  test('joins the pieces of one text, and keeps the order of different ones', () => {
    const pieces = Array.from({ length: 1_000 }, (_, at) => text(`${at} `));
    expect(recorded([{ type: 'reasoning', choice: 0, text: 'a' }, { type: 'reasoning', choice: 0, text: 'b' }, ...pieces, { type: 'reasoning', choice: 0, text: 'c' }])).toEqual([
      { type: 'reasoning', choice: 0, text: 'ab' },
      text(pieces.map((piece) => (piece as { text: string }).text).join('')),
      { type: 'reasoning', choice: 0, text: 'c' },
    ]);
  });

  test('never changes the events that others hold', () => {
    const event = Object.freeze(text('a'));
    recorded([event, text('b')]);
    expect(event).toEqual(text('a'));
  });

  test('says nothing once an answer is too long, or too many are recorded at once, and gives its room back', () => {
    const room = recordingRoom(3_000);
    expect(recorded([text('x'.repeat(1_100_000))])).toBeNull();
    const first = new AnswerRecorder(room);
    first.take(text('x'.repeat(2_000)));
    expect(recorded([text('x'.repeat(2_000))], room)).toBeNull();
    expect(first.answer()).toEqual([text('x'.repeat(2_000))]);
    first.release();
    expect(room.taken).toBe(0);
    expect(recorded([text('x'.repeat(2_000))], room)).toHaveLength(1);
  });

  test('keeps all that was said, in whatever pieces it comes and goes', () => {
    const choice = fc.integer({ min: 0, max: 2 });
    const event = fc.oneof(
      fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const, 'refusal' as const), choice, text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9_000 }) }),
      fc.record({ type: fc.constant('tool_call' as const), choice, index: fc.integer({ min: 0, max: 2 }), id: fc.constantFrom(null, 'a'), name: fc.constantFrom(null, 'f'), arguments: fc.string() }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const kept = recorded(events)!;
        expect(said(kept)).toEqual(said(events));
        expect(said(storedFrames(kept).flatMap((frame) => frame.events))).toEqual(said(events));
      }),
      { numRuns: 60 },
    );
  });
});
