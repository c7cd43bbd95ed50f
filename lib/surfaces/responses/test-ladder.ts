import { expect } from 'vitest';

/** What the tests of this surface share: reads a stream as a strict client would. */

export interface Event {
  type: string;
  sequence_number: number;
  [member: string]: any; // eslint-disable-line
}

/** The events of a stream. Each has its `event:` line, one `data:` line and a type that agrees. */
export function eventsOf(stream: string): Event[] {
  const blocks = stream.split('\n\n');
  expect(blocks.pop()).toBe('');
  return blocks.map((block) => {
    const match = /^event: (.*)\ndata: (.*)$/.exec(block);
    expect(match, block).not.toBeNull();
    const event = JSON.parse(match![2]!) as Event;
    expect(event.type).toBe(match![1]);
    return event;
  });
}

/** Holds the order that the API promises: numbers without gaps, items added before they are filled and done with what their deltas said. */
export function checkLadder(events: Event[]): void {
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  const texts = new Map<string, string>();
  const added: Event[] = [];
  const parts = new Set<string>();
  const done: unknown[] = [];
  const key = ({ item_id, output_index, content_index, summary_index }: Event) => [item_id, output_index, content_index, summary_index].join('|');
  for (const event of events) {
    const { type } = event;
    if (type === 'response.output_item.added') {
      expect(event.output_index).toBe(added.length);
      added.push(event.item as Event);
    } else if (type === 'response.output_item.done') {
      expect(event.item.id).toBe(added[event.output_index]!.id);
      done[event.output_index] = event.item;
    } else if (type.endsWith('_part.added')) parts.add(key(event));
    else if (type.endsWith('.delta')) {
      expect(added[event.output_index]!.id).toBe(event.item_id);
      if (!/arguments|input/.test(type)) expect(parts.has(key(event))).toBe(true);
      texts.set(key(event), (texts.get(key(event)) ?? '') + event.delta);
    } else if (/(text|refusal|arguments|input)\.done$/.test(type)) {
      expect(event.text ?? event.refusal ?? event.arguments ?? event.input).toBe(texts.get(key(event)) ?? '');
    }
  }
  const last = events.at(-1)!;
  if (last.type === 'response.failed' || last.ohm?.output_omitted === true) return;
  expect(done.length).toBe(added.length);
  expect(last.response.output).toEqual(done);
}
