import { cookies } from 'next/headers';
import { decode, encode } from 'next-auth/jwt';
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
  const jar = await cookies(); // first: it keeps pages from being rendered at build time, where there is no runtime
  const { name, secret } = await cookieSettings();
  return await sessionIdIn(jar.get(name)?.value, secret);
}

/** The session id inside a cookie's value: nothing else is in there. */
async function sessionIdIn(value: string | undefined, secret: string): Promise<string | null> {
  if (!value || value.length > 4_096) return null;
  try {
    const token = await decode({ token: value, secret });
    return typeof token?.sid === 'string' ? token.sid : null;
  } catch {
    return null; // forged, from another secret, or past its time
  }
}

export async function writeSessionCookie(sessionId: string): Promise<void> {
  const { name, secret, secure, maxAgeS } = await cookieSettings();
  const value = await encode({ token: { sid: sessionId }, secret, maxAge: maxAgeS });
  (await cookies()).set(name, value, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: maxAgeS });
}

export async function clearSessionCookie(): Promise<void> {
  const { name, secure } = await cookieSettings();
  (await cookies()).set(name, '', { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: 0 });
}
