import type { Refusal } from '../std';
import type { Client } from './sessions';
import type { Tenancy } from './tenancy';
import { hashToken, isWellFormedToken, type TokenKind } from './token';
import { type AttemptKind, countAttempt, forgiveNetwork, networkPrefix } from './users/attempts';

/** A kind of link whose token is a secret. */
export interface LinkKind {
  token: TokenKind;
  /** What guesses are counted as, per network. */
  guesses: Extract<AttemptKind, 'invite network' | 'reset link network'>;
  /** The one refusal for whatever is wrong with it. */
  unusable(): Refusal;
}

/**
 * Finds what a link's token opens, by its hash. Junk does not get as far as `find`, and guesses are counted per network,
 * like those at sign-in. Refuses as the kind does, and `rate_limited`.
 */
export async function openLink<Found extends object>(tenancy: Tenancy, kind: LinkKind, token: string, client: Client, find: (tokenHash: string) => Promise<Found | undefined>): Promise<Found & { tokenHash: string }> {
  if (!isWellFormedToken(token, kind.token)) throw kind.unusable();
  const network = networkPrefix(client.address);
  await countAttempt(tenancy, kind.guesses, network);
  const tokenHash = hashToken(token);
  const found = await find(tokenHash);
  if (found === undefined) throw kind.unusable();
  await forgiveNetwork(tenancy, kind.guesses, network);
  return { ...found, tokenHash };
}
