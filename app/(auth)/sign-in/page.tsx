import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { currentSession } from '@/app/_auth/session';
import { safePath } from '@/app/_auth/safe-path';
import { PlainPage } from '@/app/_shell/plain-page';
import { hrefWith, queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Notice } from '@/app/_ui';
import { Ended } from '../ended';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { next, ended, reset } = await queryOf(searchParams);
  const path = safePath(next, '/app');
  if (await currentSession()) redirect(path);
  return (
    <PlainPage title="Sign in">
      {reset === '1' ? <Notice tone="good" className="mb-4" title="Your password was changed">Sign in with the new one. Every session of before has ended.</Notice> : ended === '1' ? <Ended /> : null}
      <SignInForm next={path} />
      <p className="mt-6 text-muted"><Link href="/reset" className="link">Forgot your password?</Link></p>
      <p className="mt-2 text-muted">No account yet? <Link href={hrefWith('/sign-up', {}, { next: path === '/app' ? null : path })} className="link">Sign up</Link></p>
    </PlainPage>
  );
}
