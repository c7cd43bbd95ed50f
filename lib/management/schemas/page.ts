import * as z from 'zod';
import { NOT_PLAIN, PLAIN_TEXT } from './field';

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 100;
/** Counting stops here: a list of millions must not cost a scan of millions. */
export const MAX_TOTAL = 10_000;

/** Query members arrive as text. */
export const limit = z.coerce
  .number({ error: 'must be a number' })
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(MAX_LIMIT, `must be at most ${MAX_LIMIT}`)
  .default(DEFAULT_LIMIT)
  .meta({ description: 'Items a page.' });

export const cursor = z
  .string()
  .min(1, 'must not be empty')
  .max(1024, 'must have at most 1,024 characters')
  .regex(PLAIN_TEXT, NOT_PLAIN)
  .optional()
  .meta({ description: 'The `next_cursor` of the page before. Opaque.' });

export const search = z
  .string()
  .trim()
  .max(100, 'must have at most 100 characters')
  .regex(PLAIN_TEXT, NOT_PLAIN)
  .optional()
  .meta({ description: 'Part of the name.' });

/** A page of a list: `total` counts what the filter matches and stops at 10,000. */
export function pageOf<T extends z.ZodType>(item: T, description: string) {
  return z
    .strictObject({
      data: z.array(item),
      next_cursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
      total: z.int().meta({ description: `Items that match, counted up to ${MAX_TOTAL}.` }),
      total_is_capped: z.boolean().meta({ description: 'There are more than `total`.' }),
    })
    .meta({ description });
}

export interface Page<T> {
  data: T[];
  next_cursor: string | null;
  total: number;
  total_is_capped: boolean;
}

export const listQuery = z.strictObject({ limit, cursor });
export const namedListQuery = z.strictObject({ limit, cursor, q: search });

export const keyListQuery = z.strictObject({
  limit,
  cursor,
  q: search,
  state: z.enum(['active', 'disabled', 'expired'], { error: 'must be "active", "disabled" or "expired"' }).optional(),
  sort: z
    .enum(['created', 'name', 'last_used', 'expires'], { error: 'must be "created", "name", "last_used" or "expires"' })
    .default('created')
    .meta({ description: '`created` and `last_used` newest first, `name` and `expires` ascending; what has no such moment comes last.' }),
});

export type ListQuery = z.output<typeof listQuery>;
export type NamedListQuery = z.output<typeof namedListQuery>;
export type KeyListQuery = z.output<typeof keyListQuery>;
