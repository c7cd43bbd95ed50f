import { cookies } from 'next/headers';
import { decode, encode, type JWT } from 'next-auth/jwt';
import { runtime } from '@/lib/boot';
import { deriveKey, MAX_DAYS } from '@/lib/tenancy';

/** How the session cookie is made; the same for our own sign-in and for next-auth's handler. */
export interface CookieSettings {
  name: string;
  /** Encrypts the token; follows from OHM_SECRET. */
  secret: string;
  secure: boolean;
  maxAgeS: number;
}

export async function cookieSettings(): Promise<CookieSettings> {
  const { env } = await runtime();
  const secure = env.publicUrl.startsWith('https:');
  return {
    // The prefix makes browsers insist on Secure, Path=/ and no Domain: a sibling host cannot plant one.
    name: secure ? '__Host-ohm-session' : 'ohm-session',
    secret: deriveKey(env.secret, 'auth/session-cookie').toString('base64url'),
    secure,
    maxAgeS: MAX_DAYS * 86_400,
  };
}

/** The session id that the request's cookie names, or null. Says nothing of whether that session lives. */
export async function presentSessionId(): Promise<string | null> {
  const token = await presentToken();
  return typeof token?.sid === 'string' ? token.sid : null;
}

/** Whether the request's cookie was given for a sign-up of just now, whatever came of it: the same for a free address and a taken one. */
export async function isOfRecentSignUp(): Promise<boolean> {
  const token = await presentToken();
  return token?.signUp === true && Date.now() / 1000 - Number(token.iat) < RECENT_S;
}

const RECENT_S = 600;

/** What is inside the request's cookie: a session id, and whether a sign-up got it. */
async function presentToken(): Promise<JWT | null> {
  const jar = await cookies(); // first: it keeps pages from being rendered at build time, where there is no runtime
  const { name, secret } = await cookieSettings();
  const value = jar.get(name)?.value;
  if (!value || value.length > 4_096) return null;
  try {
    return await decode({ token: value, secret });
  } catch {
    return null; // forged, from another secret, or past its time
  }
}

export async function writeSessionCookie(sessionId: string, by: 'sign-up' | 'sign-in' = 'sign-in'): Promise<void> {
  const { name, secret, secure, maxAgeS } = await cookieSettings();
  const value = await encode({ token: by === 'sign-up' ? { sid: sessionId, signUp: true } : { sid: sessionId }, secret, maxAge: maxAgeS });
  (await cookies()).set(name, value, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: maxAgeS });
}

export async function clearSessionCookie(): Promise<void> {
  const { name, secure } = await cookieSettings();
  (await cookies()).set(name, '', { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: 0 });
}
