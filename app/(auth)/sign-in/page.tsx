import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { currentSession } from '@/app/_auth/session';
import { safePath } from '@/app/_auth/safe-path';
import { PlainPage } from '@/app/_shell/plain-page';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Notice } from '@/app/_ui';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { next, ended } = await queryOf(searchParams);
  const path = safePath(next, '/app');
  if (await currentSession()) redirect(path);
  return (
    <PlainPage title="Sign in">
      {ended === '1' ? <Ended /> : null}
      <SignInForm next={path} />
      <p className="mt-6 text-muted">No account yet? <Link href="/sign-up" className="link">Sign up</Link></p>
    </PlainPage>
  );
}

/** One sentence for a session that has ended and for a sign-up with an address that had an account: it must not tell which. */
function Ended() {
  return (
    <Notice className="mb-4" title="You are not signed in">
      Sign in to go on: your session may have ended, or the address you gave may have an account with another password.
    </Notice>
  );
}
