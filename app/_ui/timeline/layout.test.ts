import { describe, expect, it } from 'vitest';
import { exampleCalls } from './examples';
import { layoutCall, ticksFor } from './layout';

describe('the layout of a call', () => {
  it('gives every attempt a lane, skipped ones too, in the order of the walk', () => {
    const { lanes } = layoutCall(exampleCalls.skipped);
    expect(lanes.map((lane) => [lane.tier, lane.state, lane.segments.length])).toEqual([
      [1, 'skipped', 0],
      [2, 'skipped', 0],
      [3, 'finished', 3],
    ]);
  });

  it('marks the second visit to a tier as its retry', () => {
    expect(layoutCall(exampleCalls.failedOver).lanes.map((lane) => lane.retry)).toEqual([false, true, false]);
  });

  it('does not take the next candidate of an eco tier for a retry, only the same model on the same connection', () => {
    const [first, again, served] = exampleCalls.failedOver.attempts;
    const attempts = [first!, { ...again!, model: 'text:9' }, { ...again!, connection: 'other' }, { ...again!, model: 'text:9' }, served!];
    expect(layoutCall({ ...exampleCalls.failedOver, attempts }).lanes.map((lane) => lane.retry)).toEqual([false, false, false, true, false]);
  });

  it('puts the commit of a stream at its first content and splits the lane there', () => {
    const { commit, lanes, totalMs } = layoutCall(exampleCalls.failedOver);
    expect(commit).toEqual({ ms: 430, x: 430 / totalMs, lane: 2 });
    expect(lanes[2]!.segments.map((segment) => [segment.kind, segment.fromMs, segment.toMs])).toEqual([
      ['connecting', 324, 372],
      ['held', 372, 430],
      ['committed', 430, 1114],
    ]);
  });

  it('never shows an attempt that failed as committed', () => {
    for (const call of Object.values(exampleCalls)) {
      for (const lane of layoutCall(call).lanes.filter((candidate) => candidate.state === 'failed')) {
        expect(lane.segments.some((segment) => segment.kind === 'committed')).toBe(false);
      }
    }
  });

  it('has no commit for a rejected call and one step of bytes at its end', () => {
    const { commit, flushed } = layoutCall(exampleCalls.rejected);
    expect(commit).toBeNull();
    expect(flushed!.sampled).toBe(true);
    expect(flushed!.points.map((point) => [point.ms, point.bytes])).toEqual([[0, 0], [617, 0], [617, 612]]);
  });

  it('commits a JSON answer when the whole body has been read', () => {
    const call = { ...exampleCalls.failedOver, stream: false };
    expect(layoutCall(call).commit?.ms).toBe(1114);
    expect(layoutCall(call).flushed!.points.filter((point) => point.bytes > 0)).toHaveLength(1);
  });

  it('holds a stream under the complete policy until it was finished', () => {
    const call = { ...exampleCalls.failedOver, commit: 'complete' as const };
    const { commit, lanes } = layoutCall(call);
    expect(commit?.ms).toBe(1114);
    expect(lanes[2]!.segments.find((segment) => segment.kind === 'held')).toMatchObject({ fromMs: 372, toMs: 1114 });
  });

  it('holds nothing of a provider that refused the request', () => {
    expect(layoutCall(exampleCalls.failedOver).lanes[0]!.segments.map((segment) => segment.kind)).toEqual(['connecting']);
    expect(layoutCall(exampleCalls.stalledThenServed).lanes[0]!.segments.map((segment) => segment.kind)).toEqual(['connecting', 'held']);
  });

  it('does not invent how bytes were spread between commit and end', () => {
    const { flushed } = layoutCall(exampleCalls.truncated);
    expect(flushed!.sampled).toBe(false);
    expect(flushed!.points.map((point) => [point.ms, point.bytes])).toEqual([[0, 0], [180, 0], [1404, 5702]]);
  });

  it('draws measured bytes as steps', () => {
    const { flushed } = layoutCall(exampleCalls.truncated, [{ ms: 180, bytes: 300 }, { ms: 900, bytes: 5000 }]);
    expect(flushed!.sampled).toBe(true);
    expect(flushed!.points.map((point) => [point.ms, point.bytes])).toEqual([[0, 0], [180, 0], [180, 300], [900, 300], [900, 5000], [1404, 5702]]);
  });

  it('has no commit for a client that left while everything was held', () => {
    const call = exampleCalls.clientLeft;
    const held = { ...call, flushed_bytes: 0, attempts: [{ ...call.attempts[0]!, bytes: 0, first_content_ms: null }] };
    expect(layoutCall(held).commit).toBeNull();
    expect(layoutCall(held).lanes[0]!.segments.map((segment) => segment.kind)).toEqual(['connecting', 'held']);
  });

  it('draws no bytes for a lost call: nobody knows them', () => {
    const lost = { ...exampleCalls.clientLeft, state: 'lost' as const, replay: null, attempts: [], flushed_bytes: null, duration_ms: null, first_content_ms: null };
    expect(layoutCall(lost)).toMatchObject({ flushed: null, commit: null, lanes: [], ending: { state: 'lost', x: 1 } });
  });

  it('keeps every x between 0 and 1 and every segment in order, whatever the row says', () => {
    const odd = { ...exampleCalls.truncated, duration_ms: 0, attempts: [{ ...exampleCalls.truncated.attempts[0]!, headers_ms: 5000, first_content_ms: 1 }] };
    for (const call of [...Object.values(exampleCalls), odd, { ...exampleCalls.rejected, attempts: [], duration_ms: 0 }]) {
      const { lanes, ticks, ending, flushed } = layoutCall(call);
      const xs = [...ticks.map((tick) => tick.x), ending.x, ...flushed!.points.flatMap((point) => [point.x, point.y]), ...lanes.flatMap((lane) => [lane.start.x, lane.end.x])];
      for (const x of xs) expect(x >= 0 && x <= 1).toBe(true);
      for (const segment of lanes.flatMap((lane) => lane.segments)) expect(segment.width).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('ticks', () => {
  it.each([1, 7, 43, 617, 1116, 2405, 60_000, 899_999])('are three to six round moments for %i ms', (totalMs) => {
    const ticks = ticksFor(totalMs);
    expect(ticks[0]).toBe(0);
    expect(ticks.length).toBeGreaterThanOrEqual(2);
    expect(ticks.length).toBeLessThanOrEqual(6);
    expect(ticks.at(-1)!).toBeLessThan(totalMs);
  });
});
