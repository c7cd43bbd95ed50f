import type { Metadata } from 'next';
import { PlainPage } from '@/app/_shell/plain-page';
import { LinkButton } from '@/app/_ui';

export const metadata: Metadata = { title: 'New password' };

/** One page for every link that opens nothing. */
export default function UnusableLink() {
  return (
    <PlainPage title="This link cannot be used" lead="It was used or replaced by a newer one, the password has been changed since, or the hour is over.">
      <div className="flex flex-wrap gap-2">
        <LinkButton href="/reset" variant="primary">Ask for a new link</LinkButton>
        <LinkButton href="/sign-in">Sign in</LinkButton>
      </div>
    </PlainPage>
  );
}
