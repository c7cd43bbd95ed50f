import * as z from 'zod';

/** Marks the issue of a member whose feature does not exist; the door answers 422 `not_available_yet` for it. */
export const NOT_AVAILABLE_YET = 'not_available_yet';

/**
 * A member of the published API whose feature is not built. Its neutral value is accepted, so that a client may
 * send it always; anything else is refused with the feature's name rather than stored and ignored.
 */
export function notYet(feature: string, neutral: readonly unknown[], verb: 'is' | 'are' = 'is') {
  const accepted = [null, ...neutral].map((value) => JSON.stringify(value));
  return z
    .unknown()
    .optional()
    .superRefine((value, context) => {
      if (value === undefined || accepted.includes(JSON.stringify(value))) return;
      context.addIssue(notYetIssue(`${feature} ${verb} not available yet: send ${accepted.at(-1)} or leave it out`));
    })
    .meta({ description: `${feature}: not available yet. Only ${accepted.join(' or ')} is accepted.`, enum: [null, ...neutral] });
}

/** One of a closed list, of which only `available` works today. */
export function choice<const A extends string>(what: string, available: readonly A[], planned: readonly string[]) {
  return z
    .unknown()
    .superRefine((value, context) => {
      if (typeof value === 'string' && (available as readonly string[]).includes(value)) return;
      const names = available.map((name) => `"${name}"`).join(' or ');
      if (typeof value === 'string' && planned.includes(value)) {
        context.addIssue(notYetIssue(`${what} "${value}" is not available yet; ${names} is`));
        return;
      }
      context.addIssue({ code: 'custom', message: `must be ${names}` });
    })
    .transform((value) => value as A);
}

function notYetIssue(message: string) {
  return { code: 'custom' as const, message, params: { code: NOT_AVAILABLE_YET } };
}
