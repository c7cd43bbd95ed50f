/** What a server action answers to a form that could not be accepted. Never carries a secret back. */
export interface FormState {
  /** About the form as a whole; null when nothing is wrong or only fields are. */
  message: string | null;
  /** By field name: what is wrong and what to do. */
  errors: Record<string, string>;
  /** Counts answers, so that the same refusal twice is announced twice. */
  attempt: number;
  /** The session has ended: nothing was done, and the form stays as it is. */
  signedOut?: boolean;
  /** Somebody else saved in between: nothing was done, and the form stays as it is. */
  stale?: boolean;
}

export const SIGNED_OUT = 'You are signed out. Sign in in another tab and try again; what you typed is still here.';

export const signedOut = (previous: FormState): FormState => ({ message: SIGNED_OUT, errors: {}, attempt: previous.attempt + 1, signedOut: true });

export const UNTOUCHED: FormState = { message: null, errors: {}, attempt: 0 };
