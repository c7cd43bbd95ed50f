import * as z from 'zod';

/** The members that several resources share, each with its limits and the sentence that a person reads when it is wrong. */

/**
 * What any text from outside must be: no control characters and no half of a surrogate pair, neither of which
 * PostgreSQL stores.
 */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;
export const NOT_PLAIN = 'must not hold control characters';

const reserved = new Set(['auto', 'eco', 'direct', 'private']);

/**
 * Names of connections and routes. A client writes them in `model`, and they travel in response headers:
 * ASCII, no slash (it separates `<connection>/<model>`), none of the words that mean something as a model or in X-Ohm-Route.
 */
export const resourceName = z
  .string({ error: 'must be a string' })
  .min(1, 'must not be empty')
  .max(64, 'must have at most 64 characters')
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]*$/, 'may hold letters, digits, ".", "_", ":" and "-", and starts with a letter or a digit')
  .refine((name) => !reserved.has(name.toLowerCase()), '"auto", "eco", "direct" and "private" have a meaning of their own')
  .meta({ description: 'Unique in the workspace. `auto`, `eco`, `direct` and `private` are taken.', examples: ['chat'] });

/** Names for people: keys and management keys. Shown in lists, never in a header. */
export const label = z
  .string({ error: 'must be a string' })
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must have at most 100 characters')
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must not hold control characters or line breaks')
  .meta({ description: 'Shown in lists. Unique in the workspace.', examples: ['ci'] });

/** A provider's model name. Sent upstream and echoed in X-Ohm-Model, so that only what a header can carry is allowed. */
export const modelName = z
  .string({ error: 'must be a string' })
  .min(1, 'must not be empty')
  .max(256, 'must have at most 256 characters')
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'may hold printable ASCII characters only, with no space at either end')
  .meta({ examples: ['gpt-4o-mini'] });

/** Id or name of a resource of the same workspace. */
export const reference = (what: string) =>
  z
    .string({ error: 'must be a string' })
    .min(1, 'must not be empty')
    .max(100, 'must have at most 100 characters')
    .regex(PLAIN_TEXT, NOT_PLAIN)
    .meta({ description: `Name or id of a ${what} of this workspace.` });

/** A provider's credential. Written once, never read back; it becomes a header value. */
export const secret = z
  .string({ error: 'must be a string' })
  .min(1, 'must not be empty; send null for a provider that wants no key')
  .max(4096, 'must have at most 4,096 characters')
  .regex(/^[\x21-\x7e]+$/, 'may hold printable ASCII characters only, without spaces or line breaks')
  .meta({ description: 'Write-only: stored encrypted, never returned. `api_key_last4` shows its end.', writeOnly: true });

export const baseUrl = z
  .string({ error: 'must be a string' })
  .min(1, 'must not be empty')
  .max(2048, 'must have at most 2,048 characters')
  .regex(PLAIN_TEXT, NOT_PLAIN)
  .meta({
    description:
      'Root to which the wire adds its own path (`/chat/completions`, `/messages`, `/models/…:generateContent`, `/responses`). https, no user name, query or fragment; private addresses are refused unless the operator allows them. Saving contacts nobody.',
    examples: ['https://api.openai.com/v1'],
  });

/** Milliseconds of one of a tier's clocks; null means the default of the contract. */
export const timeoutMs = (what: string) =>
  z
    .int('must be a whole number of milliseconds')
    .min(100, 'must be at least 100 ms')
    .max(3_600_000, 'must be at most 3,600,000 ms (1 hour)')
    .nullable()
    .default(null)
    .meta({ description: what });

/** What a caller sends in `X-Ohm-Tag`. */
export const tag = z
  .string({ error: 'must be a string' })
  .min(1, 'must not be empty')
  .max(64, 'must have at most 64 characters')
  .regex(/^[\x20-\x7e]+$/, 'may hold printable ASCII characters only')
  .meta({ description: 'What calls named themselves by in `X-Ohm-Tag`.', examples: ['nightly'] });

const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A moment as ISO 8601 with a zone. Kept to the millisecond. */
export const moment = z.iso
  .datetime({ offset: true, abort: true, error: 'must be an ISO 8601 moment with a zone, e.g. 2030-01-31T12:00:00Z' })
  .max(40, 'must have at most 40 characters')
  .refine((text) => Date.parse(text) >= 0 && Date.parse(text) <= LAST_MOMENT, 'must lie in the years 1970 to 9999 (UTC)')
  .meta({ format: 'date-time' });

export const timestamp = z.string().meta({ format: 'date-time', examples: ['2030-01-31T12:00:00.000Z'] });
export const nullableTimestamp = timestamp.nullable();

export const id = z.string().meta({ description: 'Prefixed, sortable by time of making.' });

export const revision = z.int().meta({ description: 'Grows with every edit. Edits send it back as `If-Match: "<revision>"`.' });
