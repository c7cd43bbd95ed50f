import type * as z from 'zod';
import { Refusal, type Issue } from '../std';
import { NOT_AVAILABLE_YET } from './schemas/not-yet';

/** The value as the schema wants it, or a Refusal that names every member that is wrong. Forms and the API share it. */
export function parseWith<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true }); // else nothing tells a wrong member from a missing one
  if (result.success) return result.data;
  const all = result.error.issues.flatMap((issue) => issuesOf(issue)).slice(0, 50);
  const named = all.filter((issue) => issue.field !== '');
  const issues = named.length > 0 ? named : all; // "must change something" says nothing beside the member that is wrong
  const notYet = result.error.issues.some(isNotYet);
  const first = issues[0];
  const sentence = first === undefined ? 'The request is not valid.' : first.field === '' ? `The body ${first.message}.` : `${first.field}: ${first.message}.`;
  throw new Refusal(notYet ? 'not_available_yet' : 'invalid', sentence, issues);
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: [...path, printable(key)].join('.'), message: 'is not a member of this resource' }));
  }
  return [{ field: path.join('.'), message: sentenceOf(issue) }];
}

/** zod's own words where a schema gave none, without the capital letter. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required';
  if (!issue.message.startsWith('Invalid input: ')) return issue.message;
  const rest = issue.message.slice('Invalid input: '.length);
  if (rest.endsWith('received undefined')) return 'is required';
  const expected = rest.replace(/^expected /, '').replace(/, received .*/, '');
  return `must be ${KINDS[expected] ?? expected}`;
}

const KINDS: Partial<Record<string, string>> = { int: 'a whole number', number: 'a number', string: 'a string', boolean: 'true or false', array: 'an array', object: 'an object' };

function isNotYet(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['code'] === NOT_AVAILABLE_YET;
}

/** A member's name comes back in the answer: cut and without control characters. */
function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}
