import * as z from 'zod';
import { isRefusal } from '@/lib/std';
import type { FormState } from './form-state';

/** `done` when the action worked; otherwise what the form shows. */
export type FormOutcome<T> = { ok: true; value: T } | { ok: false; state: FormState };

/**
 * Parses a form's values with the schema that the API uses, runs the verb, and turns what the person
 * can mend into messages beside the fields. `rename` maps a schema's dotted member to the form's field.
 * Anything else is thrown on: it is an error of ours and has its own page.
 */
export async function submit<S extends z.ZodType, T>(
  previous: FormState,
  schema: S,
  values: unknown,
  run: (input: z.output<S>) => Promise<T>,
  rename: (member: string) => string = (member) => member,
): Promise<FormOutcome<T>> {
  const parsed = schema.safeParse(values);
  if (!parsed.success) {
    return refused(previous, null, parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })), rename);
  }
  try {
    return { ok: true, value: await run(parsed.data) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { state } = refused(previous, error.issues.length > 0 ? null : error.message, error.issues, rename);
    return { ok: false, state: error.code === 'stale' ? { ...state, stale: true } : state };
  }
}

export function refused(
  previous: FormState,
  message: string | null,
  issues: { field: string; message: string }[] = [],
  rename: (member: string) => string = (member) => member,
): { ok: false; state: FormState } {
  const errors: Record<string, string> = {};
  const about: string[] = [];
  for (const issue of issues) {
    if (issue.field === '') about.push(sentence(issue.message));
    else errors[rename(issue.field)] ??= sentence(issue.message);
  }
  return { ok: false, state: { message: message ?? (about.join(' ') || null), errors, attempt: previous.attempt + 1 } };
}

/** Schemas write "must be …"; beside a field that reads as a sentence. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** A text member of a form, trimmed unless it is a secret; empty means that it was left out. */
export function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim();
  return trimmed === '' ? undefined : trimmed;
}
