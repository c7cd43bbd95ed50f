/** What a server action answers to a form that could not be accepted. Never carries a secret back. */
export interface FormState {
  /** About the form as a whole; null when nothing is wrong or only fields are. */
  message: string | null;
  /** By field name: what is wrong and what to do. */
  errors: Record<string, string>;
  /** Counts answers, so that the same refusal twice is announced twice. */
  attempt: number;
}

export const UNTOUCHED: FormState = { message: null, errors: {}, attempt: 0 };
