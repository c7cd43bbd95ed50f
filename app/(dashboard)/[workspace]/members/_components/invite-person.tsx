'use client';

import { useState } from 'react';
import { ROLE_WORDS } from '@/app/_shell/role-words';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { Button, Dialog, DialogActions, SelectField, TextField } from '@/app/_ui';
import type { Role } from '@/lib/tenancy/actor';
import { InviteOutcome, type SentInvite } from './invite-outcome';

export function InvitePerson({ action, roles, byMail }: { action: FormAction<SentInvite>; /** Those that may be given. */ roles: Role[]; byMail: boolean }) {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState<SentInvite | null>(null);
  const description = byMail
    ? 'The link goes to the address by mail, and nobody else sees it.'
    : 'There is no mail server: you are shown a link, once, and pass it on yourself. Whoever has it can make an account with this address and join, so you vouch for the address.';
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>Invite a person…</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Invite a person" description={description}>
        <ActionForm action={action} needsScript onResult={(result) => { setOpen(false); setSent(result); }}>
          {(state, pending) => (
            <>
              <TextField label="E-mail" name="email" type="email" inputMode="email" autoComplete="off" autoCapitalize="none" spellCheck={false} required error={state.errors.email} hint="Only an account with this address can accept." />
              <SelectField label="Role" name="role" defaultValue="developer" error={state.errors.role}>
                {roles.map((role) => <option key={role} value={role}>{ROLE_WORDS[role]}</option>)}
              </SelectField>
              <DialogActions>
                <Button onClick={() => setOpen(false)}>Cancel</Button>
                <Button type="submit" variant="primary" busy={pending && 'Inviting…'}>{byMail ? 'Send invitation' : 'Make link'}</Button>
              </DialogActions>
            </>
          )}
        </ActionForm>
      </Dialog>
      <InviteOutcome key={sent?.key} sent={sent} onClose={() => setSent(null)} />
    </>
  );
}
