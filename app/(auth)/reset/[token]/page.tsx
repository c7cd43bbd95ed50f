import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { clientOf } from '@/app/_auth/client';
import { PlainPage } from '@/app/_shell/plain-page';
import { Notice } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { isRefusal } from '@/lib/std';
import { lookAtReset, PASSWORD_MIN_LENGTH } from '@/lib/tenancy';
import { resetPasswordAction } from '../actions';
import { PasswordForm } from '../forms';

export const dynamic = 'force-dynamic'; // never stored: Next then answers with no-store

export const metadata: Metadata = { title: 'New password', referrer: 'same-origin' };

/** Opening it changes nothing: mail servers follow links, too. */
export default async function NewPasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const account = await accountOf(token);
  if (typeof account === 'string') return <PlainPage title="New password"><Notice tone="warning">{account}</Notice></PlainPage>;
  return (
    <PlainPage title="New password" lead="It replaces the old one and ends every session of this account. API keys and management keys of your workspaces go on working.">
      <PasswordForm action={resetPasswordAction.bind(null, token)} email={account.email} minLength={PASSWORD_MIN_LENGTH} />
    </PlainPage>
  );
}

/** Whose link it is; or a sentence, when too many came from this network. Whatever is wrong with the link is one page that says so. */
async function accountOf(token: string): Promise<{ email: string } | string> {
  const incoming = await headers(); // first: it keeps the page from being rendered at build time, where there is no runtime
  const { tenancy, env } = await runtime();
  try {
    return await lookAtReset(tenancy, token, clientOf(incoming, env.trustedProxies));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === 'not_found') notFound();
    if (error.code === 'rate_limited') return error.message;
    throw error;
  }
}
