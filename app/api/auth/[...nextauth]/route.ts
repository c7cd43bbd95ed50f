import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { authOptions } from '@/app/_auth/options';

/** next-auth's own protocol: csrf, callback/credentials, session, signout. */
async function handle(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  return (await NextAuth(request, context, await authOptions())) as Response;
}

export { handle as GET, handle as POST };
