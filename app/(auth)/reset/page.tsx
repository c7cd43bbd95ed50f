import type { Metadata } from 'next';
import Link from 'next/link';
import { PlainPage } from '@/app/_shell/plain-page';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { CodeBlock, LinkButton, Notice } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { requestResetAction } from './actions';
import { RequestForm } from './forms';

export const metadata: Metadata = { title: 'New password' };

export default async function ResetPage({ searchParams }: { searchParams: SearchParams }) {
  const { sent } = await queryOf(searchParams); // first: it keeps the page from being rendered at build time
  const { env } = await runtime();
  if (env.mail === null) return <WithoutMail />;
  if (sent === '1') return <Sent />;
  return (
    <PlainPage title="Forgot your password?" lead="Give the address of your account. A link to a new password goes there.">
      <RequestForm action={requestResetAction} />
      <BackToSignIn />
    </PlainPage>
  );
}

/** The same for an address with an account and for one without. */
function Sent() {
  return (
    <PlainPage title="Look into your mailbox">
      <Notice>If the address has an account, a mail with a link is on its way to it. The link works once, for an hour, and ends an earlier one.</Notice>
      <p className="mt-4">Nothing comes? Look among junk, and whether the address is the one you signed up with. Whoever runs this installation can make a link for you, too.</p>
      <div className="mt-4"><LinkButton href="/reset">Ask again</LinkButton></div>
      <BackToSignIn />
    </PlainPage>
  );
}

function WithoutMail() {
  return (
    <PlainPage title="Forgot your password?">
      <Notice title="This installation sends no mail">So it cannot send you a link. Whoever runs it can make one for you, or set a new password, with this command:</Notice>
      <CodeBlock className="mt-4" title="For the operator" text="npm run --silent ohm -- reset-password --email you@example.com" />
      <p className="mt-4 text-muted">To be run on the server’s own machine, with the <code>OHM_DATA_DIR</code> or <code>DATABASE_URL</code> that the server has. The link leads to the server that runs, or to <code>OHM_PUBLIC_URL</code> where that is set.</p>
      <BackToSignIn />
    </PlainPage>
  );
}

function BackToSignIn() {
  return <p className="mt-6 text-muted">You remember it after all? <Link href="/sign-in" className="link">Sign in</Link></p>;
}
