import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonEnd } from './json-end';
import { BlockLadder, type BlockEvent, type BlockSink } from './ladder';

/** Pieces of some tool calls, shuffled as a vendor might, with text and reasoning between them. */
const mixture = fc
  .record({
    calls: fc.array(fc.dictionary(fc.string({ maxLength: 4 }), fc.oneof(fc.string(), fc.integer(), fc.constant({ a: ['}'] }))), { maxLength: 4 }),
    words: fc.array(fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), text: fc.string({ minLength: 1, maxLength: 4 }) }), { maxLength: 6 }),
    cut: fc.integer({ min: 1, max: 7 }),
    order: fc.infiniteStream(fc.nat()),
  })
  .map(({ calls, words, cut, order }) => {
    const queues: BlockEvent[][] = calls.map((call, index) => pieces(JSON.stringify(call), cut).map((json, at) => ({ type: 'tool_call', choice: 0, index, id: at === 0 ? `call_${index}` : null, name: at === 0 ? 'f' : null, arguments: json })));
    queues.push(words.map((word) => ({ ...word, choice: 0 })));
    const events: BlockEvent[] = [];
    for (const turn of order) {
      const left = queues.filter((queue) => queue.length > 0);
      if (left.length === 0) break;
      events.push(left[turn % left.length]!.shift()!);
    }
    return { calls, words, events };
  });

function pieces(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));
}

test('whatever the order, blocks come one after the other and lose nothing', () => {
  fc.assert(
    fc.property(mixture, ({ calls, words, events }) => {
      const seen: { kind: string; id: unknown; text: string; open: boolean }[] = [];
      const sink: BlockSink = {
        start(index, block) {
          expect([index, seen.some(({ open }) => open)]).toEqual([seen.length, false]);
          seen.push({ kind: String(block.type), id: block.id, text: '', open: true });
        },
        delta(index, _kind, text) {
          expect([index, seen[index]!.open]).toEqual([seen.length - 1, true]);
          seen[index]!.text += text;
        },
        citation: () => expect.unreachable(),
        stop(index) {
          seen[index]!.open = false;
        },
        dropped: (what) => expect.unreachable(what),
      };
      const ladder = new BlockLadder(sink, 'call_1');
      for (const event of events) ladder.add(event);
      ladder.finish();
      expect(seen.some(({ open }) => open)).toBe(false);
      for (const [index, call] of calls.entries()) {
        const blocks = seen.filter(({ id }) => id === `call_${index}`);
        expect(blocks.map(({ text }) => JSON.parse(text) as unknown)).toEqual([JSON.parse(JSON.stringify(call))]);
      }
      const said = (kind: string) => seen.filter((block) => block.kind === kind).map(({ text }) => text).join('');
      expect(said('text')).toBe(words.filter(({ type }) => type === 'text').map(({ text }) => text).join(''));
      expect(said('thinking')).toBe(words.filter(({ type }) => type === 'reasoning').map(({ text }) => text).join(''));
    }),
  );
});

test('the end of an object is found at its last brace, however it is cut', () => {
  fc.assert(
    fc.property(fc.object({ key: fc.string(), maxDepth: 3 }), fc.integer({ min: 1, max: 9 }), (value, size) => {
      const end = new JsonEnd();
      const text = JSON.stringify(value);
      const parts = pieces(text, size);
      for (const part of parts.slice(0, -1)) end.feed(part);
      expect(end.reached).toBe(false);
      end.feed(parts.at(-1)!);
      expect(end.reached).toBe(true);
    }),
  );
});
