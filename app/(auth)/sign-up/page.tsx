import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { currentSession } from '@/app/_auth/session';
import { safePath } from '@/app/_auth/safe-path';
import { PlainPage } from '@/app/_shell/plain-page';
import { hrefWith, queryOf, type SearchParams } from '@/app/_shell/search-params';
import { PASSWORD_MIN_LENGTH } from '@/lib/tenancy';
import { SignUpForm } from './sign-up-form';

export const metadata: Metadata = { title: 'Sign up' };

export default async function SignUpPage({ searchParams }: { searchParams: SearchParams }) {
  const { next } = await queryOf(searchParams);
  const path = safePath(next, '/app');
  if (await currentSession()) redirect(path);
  return (
    <PlainPage title="Sign up" lead="Your workspace starts with a sandbox provider and a route, so that the first call needs no account anywhere else.">
      <SignUpForm minLength={PASSWORD_MIN_LENGTH} next={path} />
      <p className="mt-6 text-muted">Have an account? <Link href={hrefWith('/sign-in', {}, { next: path === '/app' ? null : path })} className="link">Sign in</Link></p>
    </PlainPage>
  );
}
