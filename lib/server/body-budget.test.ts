import { expect, test } from 'vitest';
import { bodyBudget, BodyShare, type ComingBody } from './body-budget';

const MIB = 1024 * 1024;

/** Bodies of one budget, by their owners. */
const roomFor = (capBytes: number) => {
  const budget = bodyBudget(capBytes);
  return (owner: string) => new BodyShare(budget, owner);
};

test('an owner of large bodies holds no more than is left for all others, or one body', () => {
  const body = roomFor(128 * MIB); // 16 of them for small ones
  const [first, second, third] = [body('a'), body('a'), body('a')];
  expect([first.announces(50 * MIB), second.announces(12 * MIB), third.announces(MIB)]).toEqual(['taken', 'taken', 'owner_full']);
  const other = body('b');
  expect([other.announces(30 * MIB), body('b').announces(MIB), body('c').announces(20 * MIB + 1), body('c').announces(20 * MIB)]).toEqual(['taken', 'owner_full', 'full', 'taken']);
  for (const each of [first, second, second, other]) each.release();
  expect([third.announces(90 * MIB), third.reaches(91 * MIB), body('a').announces(MIB)]).toEqual(['taken', 'taken', 'owner_full']);
});

test('however many owners announce what never comes, there is room for small bodies, and a small one takes none before it comes', () => {
  const body = roomFor(128 * MIB);
  for (let owner = 0; owner < 200; owner++) for (const bytes of [32 * MIB, 8 * MIB, MIB]) body(`liar ${owner}`).announces(bytes);
  for (let at = 0; at < 10_000; at++) body(`drip ${at}`).announces(200 * 1024);
  const honest = body('honest');
  expect([honest.announces(100 * 1024), honest.reaches(60 * 1024), honest.reaches(100 * 1024)]).toEqual(['taken', 'taken', 'taken']);
  expect(body('honest').announces(8 * MIB)).toBe('full');
  const own = body('liar 0');
  expect([own.announces(1_000), own.reaches(1_000)]).toEqual(['taken', 'taken']);
});

test('a body that grows beyond a small one is counted with the large ones, and every byte is given back', () => {
  const body = roomFor(16 * MIB); // 2 of them for small ones
  const other = body('x');
  other.announces(MIB);
  const growing = body('a');
  for (const bytes of [100_000, 200_000, 300_000, 7 * MIB]) expect(growing.reaches(bytes)).toBe('taken');
  expect(growing.reaches(15 * MIB)).toBe('full');
  expect(growing.bytes).toBe(7 * MIB);
  expect(body('b').announces(8 * MIB)).toBe('full');
  growing.release();
  growing.release();
  other.release();
  expect([body('b').announces(16 * MIB), body('c').announces(MIB)]).toEqual(['taken', 'full']);
});

test('a body is ended after 20 looks without a byte, or under 8 KiB for each look', async () => {
  const budget = bodyBudget(100, 1);
  const ended: string[] = [];
  const body = (name: string): ComingBody => ({ place: -1, came: 0, seen: 0, quietS: 0, ageS: 0, stalled: () => ended.push(`${name} at ${bodies[name]!.ageS}`) });
  const bodies: Record<string, ComingBody> = { quiet: body('quiet'), drip: body('drip'), fast: body('fast'), gone: body('gone') };
  for (const each of Object.values(bodies)) budget.awaits(each);
  budget.arrived(bodies.gone!);
  while (bodies.fast!.ageS < 60) {
    bodies.drip!.came += 1;
    bodies.fast!.came += 100_000;
    await new Promise((done) => setImmediate(done));
  }
  expect(ended).toEqual(['quiet at 20', 'drip at 21']);
  budget.arrived(bodies.fast!);
});
