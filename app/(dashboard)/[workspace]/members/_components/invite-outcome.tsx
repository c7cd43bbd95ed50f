'use client';

import { useEffect } from 'react';
import { Button, CopyButton, Dialog, DialogActions, Notice, toast } from '@/app/_ui';

/** What came of sending an invitation. */
export interface SentInvite {
  /** Another one every time. */
  key: string;
  email: string;
  mail: 'sent' | 'failed' | 'not_configured';
  error: string | null;
  /** Only where there is no mail server. */
  link: string | null;
}

/** Says that it went out; or what must be done by hand: to pass the link on, which is shown here and never again, or to send it again. */
export function InviteOutcome({ sent, onClose }: { sent: SentInvite | null; onClose: () => void }) {
  useEffect(() => {
    if (sent?.mail === 'sent') toast.success(`Sent to ${sent.email}`);
  }, [sent]);
  if (sent === null || sent.mail === 'sent') return null;
  return sent.link === null ? <NotSent sent={sent} onClose={onClose} /> : <Link email={sent.email} link={sent.link} onClose={onClose} />;
}

function NotSent({ sent, onClose }: { sent: SentInvite; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="The mail was not sent" description={<span className="break-all">To {sent.email}.</span>}>
      <Notice tone="danger">{sent.error}.</Notice>
      <p className="mt-3 text-sm">The invitation stands, but nobody has its link. Send it again when that is mended.</p>
      <DialogActions><Button variant="primary" onClick={onClose}>Close</Button></DialogActions>
    </Dialog>
  );
}

function Link({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  return (
    <Dialog open locked wide onOpenChange={() => {}} title={<span className="break-all">Link for {email}</span>} description="This is the only time that it is shown. Ohm keeps a hash of it; if it is lost, make a new one.">
      <div className="rounded-lg border border-line-strong bg-sunken p-3">
        <output data-testid="invite-link" className="block font-mono text-sm break-all select-all">{link}</output>
        <div className="mt-3"><CopyButton text={link} label="Copy link" variant="primary" size="md" /></div>
      </div>
      <Notice tone="warning" className="mt-4">Pass it on to them and to nobody else: whoever has it can make an account with this address and join. It works once, for 7 days, and can be revoked until then.</Notice>
      <DialogActions><Button variant="primary" onClick={onClose}>I passed it on</Button></DialogActions>
    </Dialog>
  );
}
