import { isObject, MAX_DEPTH, shapeFault } from '../../wire';

/** The object that this JSON text holds; null when it is another value, no JSON, or too deep or large to be written again. */
export function objectIn(text: string): Record<string, unknown> | null {
  if (!/^\s*\{/.test(text) || shapeFault(text, MAX_DEPTH, MAX_VALUES) !== null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // the answer to the question, not a fault of ours
  }
}

/** As many as a whole request may have. */
const MAX_VALUES = 250_000;
