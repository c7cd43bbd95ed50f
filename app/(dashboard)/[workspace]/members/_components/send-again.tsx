'use client';

import { useState } from 'react';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { Button } from '@/app/_ui';
import { InviteOutcome, type SentInvite } from './invite-outcome';

/** The link before ends, and seven days begin anew. */
export function SendAgain({ action, email, byMail }: { action: FormAction<SentInvite>; email: string; byMail: boolean }) {
  const [sent, setSent] = useState<SentInvite | null>(null);
  return (
    <>
      <ActionForm action={action} needsScript onResult={setSent} className="contents">
        {(_state, pending) => <Button type="submit" size="sm" aria-label={byMail ? `Send again to ${email}` : `New link for ${email}`} busy={pending && 'One moment…'}>{byMail ? 'Send again' : 'New link'}</Button>}
      </ActionForm>
      <InviteOutcome key={sent?.key} sent={sent} onClose={() => setSent(null)} />
    </>
  );
}
