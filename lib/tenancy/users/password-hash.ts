import { hash, verify } from '@node-rs/argon2';
import { normalPassword } from './rules';

/** argon2id (the library's default kind), OWASP's first choice of parameters: 19 MiB, two passes, one lane. About 25 ms. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(normalPassword(password), PARAMETERS);

/**
 * Is this the password behind the hash? Without a hash (nobody of that name) it works just as long and says no:
 * the time it takes tells nothing.
 */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobodysHash()), normalPassword(password));
  return matches && stored !== null;
}

let nobodys: Promise<string> | null = null;
const nobodysHash = (): Promise<string> => (nobodys ??= hash(crypto.randomUUID(), PARAMETERS));
