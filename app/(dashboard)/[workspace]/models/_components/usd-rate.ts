/**
 * Dollars a million tokens, as a person types them, in nano-USD: exact, by the digits. What is no such amount comes
 * back as it was typed, for the schema to refuse; empty is null.
 */
export function nanoUsdOf(typed: string | undefined): number | string | null {
  const text = typed?.replace(/^\$/, '') ?? '';
  if (text === '') return null;
  const found = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text);
  if (found === null) return text;
  const [, dollars, millionths = ''] = found;
  return Number(dollars) * 1e9 + Number(millionths.padEnd(6, '0')) * 1e3;
}
