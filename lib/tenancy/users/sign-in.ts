import { eq } from 'drizzle-orm';
import { users } from '../../db/schema';
import { Refusal } from '../../std';
import type { Client } from '../sessions';
import { startSession } from '../sessions/start-session';
import type { Tenancy } from '../tenancy';
import { countAttempt, forgiveAttempt, networkPrefix } from './attempts';
import { passwordMatches } from './password-hash';
import { normalEmail, PASSWORD_MAX_LENGTH } from './rules';

/**
 * Checks the password and starts a session of its own: the id of an earlier one is never taken over. A wrong
 * password and an unknown address are refused alike (`unauthenticated`), after the same work; too many tries, per
 * account or per network, with `rate_limited`.
 */
export async function signIn(
  tenancy: Tenancy,
  input: { email: string; password: string },
  client: Client,
): Promise<{ sessionId: string; userId: string }> {
  const email = addressOrNull(input.email);
  if (email === null || input.password === '' || input.password.length > PASSWORD_MAX_LENGTH * 4) throw wrong();
  const network = networkPrefix(client.address);
  await countAttempt(tenancy, 'sign-in network', network);
  await countAttempt(tenancy, 'sign-in account', email);

  const [user] = await tenancy.db.unscoped((queries) =>
    queries.select({ id: users.id, passwordHash: users.passwordHash }).from(users).where(eq(users.email, email)),
  );
  const matches = await passwordMatches(user?.passwordHash ?? null, input.password);
  if (!user || !matches) throw wrong();

  await forgiveAttempt(tenancy, email, network);
  return { sessionId: await startSession(tenancy, user.id, client, user.passwordHash), userId: user.id };
}

const wrong = () => new Refusal('unauthenticated', 'The e-mail address or the password is wrong.');

function addressOrNull(text: string): string | null {
  try {
    return normalEmail(text);
  } catch {
    return null; // what is no address has no account: the same answer
  }
}
