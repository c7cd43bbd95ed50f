import { expect, test } from 'vitest';
import * as z from 'zod';
import { Refusal } from '@/lib/std';
import { submit } from './form';
import { UNTOUCHED } from './form-state';

const anything = z.object({});

test.each([['stale', true], ['conflict', undefined]] as const)('a form that is refused as %s says so to whoever draws it: %s', async (code, stale) => {
  const outcome = await submit(UNTOUCHED, anything, {}, async () => {
    throw new Refusal(code, 'No.');
  });
  expect(outcome).toMatchObject({ ok: false, state: { message: 'No.', attempt: 1 } });
  expect(outcome.ok ? null : outcome.state.stale).toBe(stale);
});
