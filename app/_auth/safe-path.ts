/**
 * A place to go on to, when it is a path of this product; else the fallback. Everything that a browser would take
 * for another origin is refused: `//host`, `/\host`, `https:host`, and control characters, encoded or not.
 */
export function safePath(wanted: string | null | undefined, fallback: string): string {
  if (!wanted || wanted.length > 2_000 || !isPlainPath(wanted)) return fallback;
  const decoded = decode(wanted);
  if (decoded === null || !isPlainPath(decoded)) return fallback;
  const url = new URL(wanted, 'http://here.invalid');
  return url.origin === 'http://here.invalid' && isPlainPath(url.pathname) ? url.pathname + url.search + url.hash : fallback;
}

const isPlainPath = (text: string): boolean => /^\/(?![/\\])/.test(text) && !/[\\\p{Cc}]/u.test(text);

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // half an escape
  }
}
