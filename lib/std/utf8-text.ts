import { isUtf8 } from 'node:buffer';

/** The text of these bytes; null where they are no UTF-8. A decoder puts U+FFFD for what it cannot read: without one, all was readable. */
export function utf8Text(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') && !isUtf8(bytes) ? null : text;
}
