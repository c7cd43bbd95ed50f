import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { clientOf } from '@/app/_auth/client';
import { presentSessionId } from '@/app/_auth/cookie';
import { currentSession } from '@/app/_auth/session';
import { PlainPage } from '@/app/_shell/plain-page';
import { ROLE_WORDS } from '@/app/_shell/role-words';
import { hrefWith } from '@/app/_shell/search-params';
import { Facts, LinkButton, Notice, Time } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { isRefusal } from '@/lib/std';
import { lookAtInvite, type InviteOffer } from '@/lib/tenancy';
import { Ended } from '../../ended';
import { acceptInviteAction, switchAccountAction } from './actions';
import { AcceptForm, SwitchAccount } from './forms';

export const dynamic = 'force-dynamic'; // never stored: Next then answers with no-store

/** Of nobody's workspace, so that a browser's history tells nothing either. */
export const metadata: Metadata = { title: 'Invitation', referrer: 'same-origin' };

export default async function InvitePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const offer = await offerOf(token);
  if (typeof offer === 'string') return <PlainPage title="Invitation"><Notice tone="warning">{offer}</Notice></PlainPage>;
  const session = await currentSession();
  return (
    <PlainPage title={`Join ${offer.workspace}?`} lead="Nothing happens unless you say so.">
      <Facts
        items={[
          { name: 'Workspace', value: <strong className="font-medium break-words">{offer.workspace}</strong> },
          { name: 'You would be', value: ROLE_WORDS[offer.role] },
          { name: 'Invited by', value: offer.invitedBy === null ? 'an administrator’s management key' : <span className="break-all">{offer.invitedBy}</span> },
          { name: 'Works until', value: <Time at={offer.expiresAt} /> },
        ]}
      />
      {session === null ? <SignedOut token={token} /> : (
        <div className="mt-6">
          <AcceptForm action={acceptInviteAction.bind(null, token)} role={offer.role} />
          <p className="mt-6 text-muted">You are signed in as <span className="break-all text-text">{session.user.email}</span>. The invitation is for the account with the address that it was sent to.</p>
          <SwitchAccount action={switchAccountAction.bind(null, token)} />
        </div>
      )}
    </PlainPage>
  );
}

async function SignedOut({ token }: { token: string }) {
  const next = `/invite/${token}`;
  const ended = (await presentSessionId()) !== null; // a cookie that opens nothing
  return (
    <div className="mt-6">
      {ended ? <Ended /> : null}
      <p className="mb-4">Sign in, or make an account, with the address that the invitation was sent to. You come back here.</p>
      <div className="flex flex-wrap gap-2">
        <LinkButton href={hrefWith('/sign-in', {}, { next })} variant="primary">Sign in</LinkButton>
        <LinkButton href={hrefWith('/sign-up', {}, { next })}>Sign up</LinkButton>
      </div>
      <p className="mt-6 text-xs text-muted">Ohm does not check who owns the address that an inviter’s account has. Join what you expect to be invited to.</p>
    </div>
  );
}

/** The offer; or a sentence, when too many came from this network. Whatever is wrong with the link is one page that says so. */
async function offerOf(token: string): Promise<InviteOffer | string> {
  const incoming = await headers(); // first: it keeps the page from being rendered at build time, where there is no runtime
  const { tenancy, env } = await runtime();
  try {
    return await lookAtInvite(tenancy, token, clientOf(incoming, env.trustedProxies));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === 'not_found') notFound();
    if (error.code === 'rate_limited') return error.message;
    throw error;
  }
}
