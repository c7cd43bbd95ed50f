/** One line of RFC 4180, with its line end. Null is an empty field, which a text that is empty looks like too. */
export function csvLine(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(field).join(',')}\r\n`;
}

/**
 * A text that a spreadsheet would take for a formula gets an apostrophe in front: it comes from callers and
 * providers, and a formula runs with the rights of whoever opens the file. Numbers are our own.
 */
function field(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What begins a formula somewhere, also behind white space; the wide forms count in East Asian versions. */
const FORMULA = /^\s*[=+\-@\t\r\n|%＝＋－＠]|^[\t\r\n]/;
