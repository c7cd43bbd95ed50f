import { customType, integer, text, timestamp } from 'drizzle-orm/pg-core';

/** A moment, timestamptz, read and written as a JavaScript Date (millisecond precision). */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const createdAt = () => moment('created_at').notNull().defaultNow();
export const updatedAt = () => moment('updated_at').notNull().defaultNow();

/** Counts edits from 1: the value behind ETag and If-Match. */
export const revision = () => integer('revision').notNull().default(1);

/** Every tenant table carries it: the row-level policies compare it with the transaction's workspace. */
export const workspaceId = () => text('workspace_id').notNull();

/** jsonb that keeps its TypeScript type. postgres.js is told not to touch it, so it is text on the wire. */
export const json = <T>(name: string) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'jsonb',
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (value) => (typeof value === 'string' ? JSON.parse(value) : value) as T,
  })(name);
