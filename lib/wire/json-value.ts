/** What is asked of parsed JSON everywhere: by surfaces of their clients' words, by adapters of their providers'. */

/** An object; neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export const nonEmpty = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Null is how many clients spell a member that they leave out. */
export const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;
