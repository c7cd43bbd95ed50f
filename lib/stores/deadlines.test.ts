import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deadlines } from './deadlines';

test('each question is late at its own time, and none that was answered', async () => {
  const { begin } = deadlines(40);
  const from = performance.now();
  const late: [string, number][] = [];
  const ask = (name: string) => begin(() => late.push([name, performance.now() - from]));
  ask('first');
  const answered = ask('answered');
  await delay(20);
  ask('second');
  answered.over = true;
  await expect.poll(() => late.length, { interval: 5 }).toBe(2);
  ask('third'); // after all were over
  await expect.poll(() => late.length, { interval: 5 }).toBe(3);
  expect(late.map(([name]) => name)).toEqual(['first', 'second', 'third']);
  expect(late[0]![1]).toBeGreaterThanOrEqual(39);
  expect(late[1]![1]).toBeGreaterThanOrEqual(59);
});

test('an answer that came while this process was held up is not late', async () => {
  const { begin } = deadlines(10);
  let late = false;
  const question = begin(() => (late = true));
  setImmediate(() => (question.over = true)); // as a socket's answer is read
  for (const from = performance.now(); performance.now() - from < 30; ); // nothing else has its turn
  await delay(30);
  expect(late).toBe(false);
});
