import type { Metadata } from 'next';
import { LinkButton } from './_ui';
import { PlainPage } from './_shell/plain-page';

export const metadata: Metadata = { title: 'Refused' };

/** A form that came from elsewhere: see app/_auth/same-origin.ts. */
export default function Forbidden() {
  return (
    <PlainPage title="This was refused" code="403">
      <p>The form was not sent from a page under this installation’s own address. Nothing was changed.</p>
      <p className="mt-3 text-muted">Do you run this installation? Set OHM_PUBLIC_URL to the address in the browser’s address bar, and start it again.</p>
      <div className="mt-5"><LinkButton href="/">Home</LinkButton></div>
    </PlainPage>
  );
}
