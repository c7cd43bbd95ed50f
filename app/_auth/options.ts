import { headers } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import { runtime } from '@/lib/boot';
import { isRefusal } from '@/lib/std';
import { readSession, signIn } from '@/lib/tenancy';
import { clientOf } from './client';
import { cookieSettings } from './cookie';
import { endPresentSession } from './end-present-session';
import { safePath } from './safe-path';

/**
 * next-auth for the clients that speak its protocol (`/api/auth/*`). Its token holds the session's id and nothing
 * else; whether that session lives is the database's word at every request. Our own forms do not go through it:
 * see actions.ts.
 */
export async function authOptions(): Promise<NextAuthOptions> {
  const { tenancy, env } = await runtime();
  const { name, secret, secure, maxAgeS } = await cookieSettings();
  // Fixed by the operator: next-auth would otherwise build links from what the request claims.
  process.env.NEXTAUTH_URL = env.publicUrl;
  return {
    secret,
    useSecureCookies: secure,
    session: { strategy: 'jwt', maxAge: maxAgeS },
    cookies: { sessionToken: { name, options: { httpOnly: true, sameSite: 'lax', path: '/', secure } } },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in' },
    providers: [
      {
        id: 'credentials',
        name: 'E-mail and password',
        type: 'credentials',
        credentials: { email: {}, password: {} },
        async authorize(credentials) {
          const [email, password] = [credentials?.email, credentials?.password];
          if (typeof email !== 'string' || typeof password !== 'string') return null;
          try {
            const { sessionId } = await signIn(tenancy, { email, password }, clientOf(await headers(), env.trustedProxies));
            await endPresentSession();
            return { id: sessionId };
          } catch (error) {
            if (isRefusal(error) && error.code === 'unauthenticated') return null;
            throw new Error(isRefusal(error) ? error.code : 'unavailable'); // ends up in the address: a code, no detail
          }
        },
      },
    ],
    callbacks: {
      // What next-auth puts into the token by default (name, e-mail, picture) stays out.
      jwt: ({ token, user }) => ({ sid: user ? user.id : token.sid }),
      async session({ token, session }) {
        const signedIn = typeof token.sid === 'string' ? await readSession(tenancy, token.sid) : null;
        return signedIn ? { expires: session.expires, user: { email: signedIn.user.email } } : { expires: new Date(0).toISOString() };
      },
      redirect: ({ url }) => env.publicUrl + safePath(url.startsWith(`${env.publicUrl}/`) ? url.slice(env.publicUrl.length) : url, '/'),
    },
    events: {
      signOut: endPresentSession,
    },
  };
}
