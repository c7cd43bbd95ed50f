import { numberOf } from '@/app/_shell/form-number';

/** The members of a key that the savers' fields set. An empty hold-out is what holds where nothing is said; no days: no text is kept. */
export function savingOf(form: FormData): { savers: string[]; holdout: { percent: number } | null; keep_texts: { days: number } | null } {
  const percent = numberOf(form, 'holdout_percent');
  const days = numberOf(form, 'keep_texts_days');
  return { savers: form.getAll('savers').map(String), holdout: percent === undefined ? null : { percent }, keep_texts: days === undefined ? null : { days } };
}
