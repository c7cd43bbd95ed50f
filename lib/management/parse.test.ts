import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseWith } from './parse';
import { channelCreate } from './schemas';

const schema = z.object({ name: z.string({ error: 'must be a string' }), count: z.int(), share: z.number(), on: z.boolean(), list: z.array(z.string()) });

/** What each member that is wrong is told. */
function told(value: object): Record<string, string> {
  try {
    parseWith(schema, value);
    return {};
  } catch (refusal) {
    return Object.fromEntries((refusal as { issues: { field: string; message: string }[] }).issues.map(({ field, message }) => [field, message]));
  }
}

test('a member of the wrong kind is told which it must be, and one that is missing that it is required', () => {
  expect(told({ name: 5, count: 0.5, share: null, on: 'yes', list: {} })).toEqual({ name: 'must be a string', count: 'must be a whole number', share: 'must be a number', on: 'must be true or false', list: 'must be an array' });
  expect(told({ name: undefined })).toEqual({ name: 'is required', count: 'is required', share: 'is required', on: 'is required', list: 'is required' });
});

test('a sentence about a member does not name it twice', () => {
  expect(() => parseWith(channelCreate, {})).toThrow('type: must be "email" or "webhook".');
});
