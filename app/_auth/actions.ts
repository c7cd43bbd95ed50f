import { headers } from 'next/headers';
import { runtime } from '@/lib/boot';
import { newId } from '@/lib/std';
import { changePassword as changePasswordVerb, requestReset as requestResetVerb, resetPassword as resetPasswordVerb, signIn as signInVerb, signUp as signUpVerb, type SignUpInput } from '@/lib/tenancy';
import { clientOf } from './client';
import { clearSessionCookie, writeSessionCookie } from './cookie';
import { endPresentSession } from './end-present-session';
import { safePath } from './safe-path';
import { refuseForeignForm, requireSameOrigin } from './same-origin';
import { requireUser } from './session';

/**
 * What the forms' server actions call. Plain functions, not actions themselves: they set the cookie and return the
 * path to redirect to, or throw a Refusal to show (`invalid` names its fields, `unauthenticated`, `rate_limited`,
 * `unavailable`). They issue the same cookie as next-auth's own handler, so forms work without script.
 */

/** Leads on to the person's first workspace, or to sign-in when the cookie opens nothing. */
const CONTINUE = '/app';

export async function signIn(input: { email: string; password: string; next?: string | null }): Promise<string> {
  const { tenancy, client } = await door();
  const { sessionId } = await signInVerb(tenancy, input, client);
  await replaceSession(sessionId, 'sign-in');
  return safePath(input.next, CONTINUE);
}

/**
 * The same answer whether the address was free or taken: a cookie and the same path. For a taken address with
 * another password the cookie opens nothing, and CONTINUE leads to sign-in.
 */
export async function signUp(input: SignUpInput): Promise<string> {
  const { tenancy, client } = await door();
  const signedIn = await signUpVerb(tenancy, input, client);
  await replaceSession(signedIn?.sessionId ?? newId('session'), 'sign-up');
  return CONTINUE;
}

/** Ends this session, in the database as well as in the browser. */
export async function signOut(): Promise<string> {
  await requireSameOrigin();
  await endPresentSession();
  await clearSessionCookie();
  return '/sign-in';
}

/** Ends every session of the person but the new one that this browser is given. */
export async function changePassword(input: { current: string; next: string }): Promise<void> {
  const { tenancy, client } = await door();
  const { user } = await requireUser();
  await writeSessionCookie(await changePasswordVerb(tenancy, user.id, input, client));
}

/** The same answer whether the address has an account or not. */
export async function requestReset(input: { email: string }): Promise<void> {
  const { client } = await door();
  await requestResetVerb(await runtime(), input, client);
}

/** Leads to sign-in, whoever this browser was signed in as. */
export async function resetPassword(input: { token: string; password: string }): Promise<string> {
  const { client } = await door();
  await resetPasswordVerb(await runtime(), input, client);
  await endPresentSession();
  await clearSessionCookie();
  return '/sign-in?reset=1';
}

async function door() {
  await refuseForeignForm();
  const { tenancy, env } = await runtime();
  return { tenancy, client: clientOf(await headers(), env.trustedProxies) };
}

/** A cookie that was planted or shared beforehand is worth nothing afterwards. */
async function replaceSession(sessionId: string, by: 'sign-up' | 'sign-in'): Promise<void> {
  await endPresentSession();
  await writeSessionCookie(sessionId, by);
}
