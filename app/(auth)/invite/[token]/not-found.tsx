import type { Metadata } from 'next';
import { PlainPage } from '@/app/_shell/plain-page';
import { LinkButton } from '@/app/_ui';

export const metadata: Metadata = { title: 'Invitation' };

/** One page for every link that opens nothing. */
export default function UnusableInvitation() {
  return (
    <PlainPage title="This invitation cannot be used" lead="It was accepted, revoked or replaced by a newer one, or it has expired. Ask whoever invited you to send it again.">
      <LinkButton href="/app">Your workspaces</LinkButton>
    </PlainPage>
  );
}
