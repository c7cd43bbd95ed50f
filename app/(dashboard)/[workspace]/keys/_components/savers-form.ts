/** The members of a key that the savers' fields set. An empty hold-out is what holds where nothing is said; no days: no text is kept. */
export function savingOf(form: FormData): { savers: string[]; holdout: { percent: number } | null; keep_texts: { days: number } | null } {
  const percent = String(form.get('holdout_percent') ?? '').trim();
  const days = String(form.get('keep_texts_days') ?? '').trim();
  return { savers: form.getAll('savers').map(String), holdout: percent === '' ? null : { percent: Number(percent) }, keep_texts: days === '' ? null : { days: Number(days) } };
}
