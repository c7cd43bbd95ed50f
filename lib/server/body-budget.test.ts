import { expect, test } from 'vitest';
import { bodyBudget, type ComingBody } from './body-budget';

test('one owner may hold half of the cap, or one body alone', () => {
  const budget = bodyBudget(100);
  expect([budget.take(30, 'a'), budget.take(30, 'a'), budget.take(20, 'a')]).toEqual(['taken', 'owner_full', 'taken']);
  expect([budget.take(60, 'b'), budget.take(50, 'b'), budget.take(50, 'c')]).toEqual(['full', 'taken', 'full']);
  for (const bytes of [30, 20]) budget.release(bytes, 'a');
  budget.release(50, 'b');
  expect([budget.take(90, 'd'), budget.take(1, 'd'), budget.take(10, 'a')]).toEqual(['taken', 'owner_full', 'taken']);
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
