import type { Metadata } from 'next';
import { LinkButton } from './_ui';
import { PlainPage } from './_shell/plain-page';

export const metadata: Metadata = { title: 'Not found' };

/** Also what a person sees of somebody else's workspace: the page does not tell whether it exists. */
export default function NotFound() {
  return (
    <PlainPage title="There is nothing here" code="404">
      <p>This address leads nowhere, or to something that you may not see. Check it for a typing mistake, or start again from a page that exists.</p>
      <div className="mt-5 flex flex-wrap gap-2">
        <LinkButton href="/app" variant="primary" prefetch={false}>Go to your workspace</LinkButton>
        <LinkButton href="/">Home</LinkButton>
      </div>
    </PlainPage>
  );
}
