export type RefusalCode =
  | 'invalid' // 422: a member is wrong; `issues` names it
  | 'not_available_yet' // 422: a feature that does not exist yet
  | 'not_found' // 404: also for what exists in another workspace
  | 'forbidden' // 403: the role may not
  | 'unauthenticated' // 401
  | 'stale' // 409: the revision in If-Match is not the current one
  | 'conflict' // 409: in use, or a name that is taken
  | 'precondition_required' // 428: an edit without If-Match
  | 'rate_limited' // 429
  | 'budget_exceeded' // 402: it would cost money, and a hard budget is used up
  | 'too_large' // 413
  | 'unavailable'; // 503: the database cannot answer

export interface Issue {
  /** Dotted path of the member, e.g. `tiers.1.model`; empty for the body as a whole. */
  field: string;
  message: string;
}

/**
 * An outcome that is the caller's to mend, with a public sentence. Translated once, at the door
 * (problem+json for the API, a form message in the dashboard). Match on `name` and `code`: class
 * identity does not survive bundling.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly issues: Issue[] = [],
    /** Seconds, for rate_limited and unavailable. */
    readonly retryAfterS: number | null = null,
  ) {
    super(message);
  }
}

export const isRefusal = (error: unknown): error is Refusal => error instanceof Error && error.name === 'Refusal';
