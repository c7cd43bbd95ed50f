/** Expiry as the form offers it. Values of the `expiry` field; `on` takes the day from `expires_on`. */
export const EXPIRY_PRESETS = [
  { value: 'never', label: 'Never', days: null },
  { value: '7d', label: 'In 7 days', days: 7 },
  { value: '30d', label: 'In 30 days', days: 30 },
  { value: '90d', label: 'In 90 days', days: 90 },
  { value: '365d', label: 'In a year', days: 365 },
] as const;

/** ISO moment, null for never, undefined for "leave it as it is". A chosen day ends at midnight UTC, as the form says. */
export function expiryOf(choice: string | undefined, day: string | undefined, nowMs: number): string | null | undefined {
  if (choice === undefined || choice === 'keep') return undefined;
  if (choice === 'on') return day === undefined ? '' : `${day}T23:59:59Z`;
  const preset = EXPIRY_PRESETS.find((candidate) => candidate.value === choice);
  if (preset === undefined) return '';
  return preset.days === null ? null : new Date(nowMs + preset.days * 24 * 3600_000).toISOString();
}

/** What a refused form says of its expiry: where no day was chosen that, in place of what the API asks for. */
export function expiryErrors(errors: Record<string, string>, choice: string | undefined, day: string | undefined): Record<string, string> {
  const chosen = day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day));
  return choice === 'on' && !chosen && errors['expires_at'] !== undefined ? { ...errors, expires_at: 'Choose a day.' } : errors;
}
