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
  takes: isAnyText,
  rewrite(text) {
    if (text.length < MIN_CHARACTERS) return text;
    let out = '';
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      if (!isBase64(text.charCodeAt(at))) continue;
      let end = at;
      while (end < text.length && isBase64(text.charCodeAt(end))) end++;
      if (end - at >= MIN_CHARACTERS) {
        while (end < text.length && text[end] === '=') end++;
        const blob = text.slice(at, end);
        if (/[A-Z]/.test(blob) && /[a-z]/.test(blob) && /[0-9]/.test(blob)) {
          out += `${text.slice(from, at)}[${Math.floor((blob.length * 3) / 4)} bytes of base64, sha256 ${hash('sha256', blob, 'hex').slice(0, 16)}]`;
          from = end;
        }
      }
      at = end;
    }
    return out + text.slice(from);
  },
};

/** RFC 4648, sections 4 and 5. */
function isBase64(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 43 || code === 47 || code === 45 || code === 95;
}
