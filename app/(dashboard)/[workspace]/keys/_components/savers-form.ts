/** The members of a key that the savers' fields set. An empty hold-out is what holds where nothing is said. */
export function savingOf(form: FormData): { savers: string[]; holdout: { percent: number } | null } {
  const percent = String(form.get('holdout_percent') ?? '').trim();
  return { savers: form.getAll('savers').map(String), holdout: percent === '' ? null : { percent: Number(percent) } };
}
