/**
 * A number of a form, undefined when its field is empty. Text that is no number is NaN, which every schema refuses by
 * name: never another number than was meant (`1,50`), and never as if nothing had been typed.
 */
export function numberOf(form: FormData, name: string): number | undefined {
  const value = form.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') return undefined;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}
