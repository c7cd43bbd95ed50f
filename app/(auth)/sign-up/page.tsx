import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { currentSession } from '@/app/_auth/session';
import { PlainPage } from '@/app/_shell/plain-page';
import { PASSWORD_MIN_LENGTH } from '@/lib/tenancy';
import { SignUpForm } from './sign-up-form';

export const metadata: Metadata = { title: 'Sign up' };

export default async function SignUpPage() {
  if (await currentSession()) redirect('/app');
  return (
    <PlainPage title="Sign up" lead="Your workspace starts with a sandbox provider and a route, so that the first call needs no account anywhere else.">
      <SignUpForm minLength={PASSWORD_MIN_LENGTH} />
      <p className="mt-6 text-muted">Have an account? <Link href="/sign-in" className="link">Sign in</Link></p>
    </PlainPage>
  );
}
