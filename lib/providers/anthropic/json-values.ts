export type Members = Record<string, unknown>;

export const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

export const nonEmpty = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Null is how many clients spell a member that they leave out. */
export const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;
