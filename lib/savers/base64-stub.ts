import { hash } from 'node:crypto';
import { isAnyText, type Saver } from './saver';

/** Shorter runs may be keys, hashes or tokens that a model has to repeat. */
const MIN_CHARACTERS = 512;

/** A blob that no model can read becomes its size and its hash. */
export const base64Stub: Saver = {
  id: 'base64-stub',
  label: 'Base64 blobs',
  promise: 'Replaces long runs of base64 in text by their size and SHA-256.',
  never: 'Runs under 512 characters, runs of one kind of character, images and files that are sent as such.',
  lossless: false,
  keepsJson: false,
  takes: isAnyText,
  rewrite(text) {
    let out = '';
    let copied = 0;
    // A run of that length reaches over one of these places: nothing between them has to be looked at.
    for (let probe = MIN_CHARACTERS - 1; probe < text.length; ) {
      if (!isBase64(text.charCodeAt(probe))) {
        probe += MIN_CHARACTERS;
        continue;
      }
      let start = probe;
      while (start > copied && isBase64(text.charCodeAt(start - 1))) start--;
      let end = probe + 1;
      while (end < text.length && isBase64(text.charCodeAt(end))) end++;
      if (end - start >= MIN_CHARACTERS) {
        const run = end;
        while (end < text.length && end < run + 2 && text.charCodeAt(end) === PADDING) end++;
        const blob = text.slice(start, end);
        if (/[A-Z]/.test(blob) && /[a-z]/.test(blob) && /[0-9]/.test(blob)) {
          out += `${text.slice(copied, start)}[${Math.floor((blob.length * 3) / 4)} bytes of base64, sha256 ${hash('sha256', blob, 'hex').slice(0, 16)}]`;
          copied = end;
        }
      }
      probe = end + MIN_CHARACTERS - 1;
    }
    return copied === 0 ? text : out + text.slice(copied);
  },
};

const PADDING = 61;

/** RFC 4648, sections 4 and 5. */
function isBase64(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 43 || code === 47 || code === 45 || code === 95;
}
