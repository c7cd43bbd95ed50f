import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { StoredAnswer } from './stored-answer';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Larger entries are not kept, bytes of JSON: escapes and vectors take more room than the characters that are counted. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;

/**
 * An answer as the store keeps it: AES-256-GCM under the workspace's own key, base64. The entry's name is
 * authenticated with it, so that an entry put under another name is none. Null when it is too large.
 */
export function sealAnswer(key: Buffer, name: string, answer: StoredAnswer): string | null {
  const plain = Buffer.from(JSON.stringify(answer));
  return plain.length > MAX_ENTRY_BYTES ? null : sealText(key, name, plain);
}

/** The answer in an entry; null for one that is altered, cut, of another version, of another name or of another key. */
export function openAnswer(key: Buffer, name: string, entry: string): StoredAnswer | null {
  const text = openSealed(key, name, entry);
  if (text === null) return null;
  try {
    return JSON.parse(text) as StoredAnswer;
  } catch {
    return null; // sealed by a version that wrote something else
  }
}

/** Any text in the same envelope, under a key of its own. */
export function sealText(key: Buffer, name: string, plain: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticated(name));
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** The text in an envelope, or null: see openAnswer. */
export function openSealed(key: Buffer, name: string, entry: string): string | null {
  const bytes = Buffer.from(entry, 'base64');
  if (bytes[0] !== VERSION || bytes.length < 1 + NONCE_BYTES + TAG_BYTES) return null;
  const tagAt = bytes.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticated(name));
    decipher.setAuthTag(bytes.subarray(tagAt));
    const plain = decipher.update(bytes.subarray(1 + NONCE_BYTES, tagAt), undefined, 'utf8');
    return plain + decipher.final('utf8');
  } catch {
    return null; // poisoned or truncated: a miss, never an answer
  }
}

const authenticated = (name: string): Buffer => Buffer.from(`${VERSION}\n${name}`);
