import { eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { users } from '../../db/schema';
import { newId } from '../../std';
import type { Client } from '../sessions';
import { startSession } from '../sessions/start-session';
import type { Tenancy } from '../tenancy';
import { furnishWorkspace, workspaceName } from '../workspaces/furnish-workspace';
import { countAttempt, networkPrefix } from './attempts';
import { hashPassword, passwordMatches } from './password-hash';
import { checkNewPassword, normalEmail } from './rules';
import { signIn } from './sign-in';

export interface SignUpInput {
  email: string;
  password: string;
  /** Name of the first workspace; empty or absent: made from the address. */
  workspace?: string | undefined;
}

/** No answer comes sooner, so that making an account and not making one take the same time. */
const ANSWER_AFTER_MS = 400;

/**
 * Makes a person and their first workspace, and signs them in.
 *
 * There is no e-mail in this version to tell the truth in, so this must not tell it either: for an address that has
 * an account, nothing is made, nothing is changed, and it is a sign-in with that password, under sign-in's own
 * limits. When that fails the result is null, and the caller answers exactly as for a new account (door: a cookie
 * of the same form that opens nothing). Whoever then finds themselves signed out learns no more than by trying to
 * sign in. Refuses `invalid` for the address or the password itself, whoever has it, and `rate_limited`.
 */
export async function signUp(tenancy: Tenancy, input: SignUpInput, client: Client): Promise<{ sessionId: string; userId: string } | null> {
  const email = normalEmail(input.email);
  checkNewPassword(input.password, email);
  const name = workspaceName(input.workspace, email);
  const earliest = new Promise((resolve) => setTimeout(resolve, ANSWER_AFTER_MS));
  await countAttempt(tenancy, 'sign-up network', networkPrefix(client.address));

  const userId = await createAccount(tenancy, email, input.password, name);
  const signedIn = userId === null ? await signInInstead(tenancy, { email, password: input.password }, client) : { userId, sessionId: await startSession(tenancy, userId, client) };
  await earliest;
  return signedIn;
}

/** Null when the address has an account. Both ways do the work of one hash and one check. */
async function createAccount(tenancy: Tenancy, email: string, password: string, name: string): Promise<string | null> {
  const passwordHash = await hashPassword(password);
  const [known] = await tenancy.db.unscoped((queries) => queries.select({ id: users.id }).from(users).where(eq(users.email, email)));
  if (known) return null;
  await passwordMatches(null, password);
  const [userId, workspaceId] = [newId('user'), newId('ws')];
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const made = await tx.insert(users).values({ id: userId, email, passwordHash }).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
    if (made.length === 0) return null; // somebody was faster
    await furnishWorkspace(tx, { workspaceId, name, ownerId: userId });
    return userId;
  });
}

async function signInInstead(tenancy: Tenancy, input: { email: string; password: string }, client: Client) {
  try {
    return await signIn(tenancy, input, client);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'unauthenticated' || code === 'rate_limited') return null;
    throw error;
  }
}
