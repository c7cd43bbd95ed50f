import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { deriveKey } from './secret';

/** What a sealed value belongs to. The seal opens for exactly this and nothing else. */
export interface SealedFor {
  workspaceId: string;
  /** Id of the record, e.g. the connection. */
  recordId: string;
  /** Version of the value in that record: an older sealed value put back does not open. */
  version: number;
}

export interface Keyring {
  /** Encrypts under a fresh data key, wrapped by the current key-encryption key. */
  seal(plain: string, owner: SealedFor): string;
  /** Throws SealBroken when it was altered, belongs to something else, or no key of the ring fits. */
  open(sealed: string, owner: SealedFor): string;
  /** A key of 32 bytes that belongs to one workspace and purpose. Follows from OHM_SECRET; stored nowhere. */
  workspaceKey(workspaceId: string, purpose: string): Buffer;
  /** Was it sealed under another than the current key? Then `seal(open(x))` rotates it. */
  isStale(sealed: string): boolean;
}

/** A sealed value does not open: altered, moved to another record, or sealed under an unknown OHM_SECRET. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  readonly code = 'seal_broken';
}

/**
 * Envelope encryption, AES-256-GCM twice: the value under a data key of its own, the data key under a
 * key-encryption key that follows from OHM_SECRET. The owner is authenticated by both. Text form:
 * `ohm1.<kek id>.<nonce+wrapped data key+tag>.<nonce+ciphertext+tag>`, base64url.
 *
 * `former` are earlier values of OHM_SECRET: they open, the current one seals. Rotation is re-sealing what is stale.
 */
export function createKeyring(secret: string, former: string[] = []): Keyring {
  const current = keyEncryptionKey(secret);
  const ring = new Map([...former.map(keyEncryptionKey), current].map((kek) => [kek.id, kek.key]));

  return {
    seal(plain, owner) {
      const dataKey = randomBytes(32);
      const wrapped = encrypt(current.key, dataKey, aad(current.id, 'key', owner));
      const body = encrypt(dataKey, Buffer.from(plain, 'utf8'), aad(current.id, 'value', owner));
      dataKey.fill(0);
      return [FORMAT, current.id, wrapped.toString('base64url'), body.toString('base64url')].join('.');
    },
    open(sealed, owner) {
      const [format, kekId = '', wrapped = '', body = '', ...rest] = sealed.split('.');
      const kek = ring.get(kekId);
      if (format !== FORMAT || rest.length > 0) throw new SealBroken('not a sealed value');
      if (!kek) throw new SealBroken(`sealed under key ${kekId.slice(0, 16)}, which this OHM_SECRET does not give`);
      const dataKey = decrypt(kek, Buffer.from(wrapped, 'base64url'), aad(kekId, 'key', owner));
      return decrypt(dataKey, Buffer.from(body, 'base64url'), aad(kekId, 'value', owner)).toString('utf8');
    },
    workspaceKey: remembered((workspaceId, purpose) => deriveKey(secret, JSON.stringify(['workspace', workspaceId, purpose]))),
    isStale: (sealed) => sealed.split('.')[1] !== current.id,
  };
}

/** Asked for on every call; bounded all the same. */
function remembered(derive: Keyring['workspaceKey']): Keyring['workspaceKey'] {
  const known = new Map<string, Buffer>();
  return (workspaceId, purpose) => {
    const name = `${workspaceId} ${purpose}`;
    let key = known.get(name);
    if (key !== undefined) return key;
    key = derive(workspaceId, purpose);
    if (known.size >= REMEMBERED) known.clear();
    known.set(name, key);
    return key;
  };
}

const REMEMBERED = 20_000;

const FORMAT = 'ohm1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The id is a fingerprint: it tells keys apart and gives nothing away. */
function keyEncryptionKey(secret: string): { id: string; key: Buffer } {
  const key = deriveKey(secret, 'keyring/kek');
  return { id: createHash('sha256').update('ohm/kek-id').update(key).digest('hex').slice(0, 12), key };
}

/** JSON keeps the parts apart whatever they contain. */
function aad(kekId: string, part: 'key' | 'value', owner: SealedFor): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, kekId, part, owner.workspaceId, owner.recordId, owner.version]));
}

function encrypt(key: Buffer, plain: Buffer, authenticated: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticated);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, authenticated: Buffer): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken('too short to be a sealed value');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
  } catch {
    // Node says "unable to authenticate data", whatever the cause.
    throw new SealBroken('the sealed value was altered or belongs to another record');
  }
}
