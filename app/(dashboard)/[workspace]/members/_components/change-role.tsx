'use client';

import { useState } from 'react';
import { ROLE_WORDS } from '@/app/_shell/role-words';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { Button, Dialog, DialogActions, SelectField, toast } from '@/app/_ui';
import type { Role } from '@/lib/tenancy/actor';

/** Of a member, or of somebody who is invited. */
export function ChangeRole({ action, of, role, roles }: { action: FormAction<string>; /** Their address. */ of: string; role: Role; /** Those that may be given. */ roles: Role[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" aria-label={`Change the role of ${of}`} onClick={() => setOpen(true)}>Change role…</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Change role" description={<span className="break-all">{of} is {role}.</span>}>
        <ActionForm action={action} needsScript onResult={() => { setOpen(false); toast.success('Role changed'); }}>
          {(state, pending) => (
            <>
              <SelectField label="Role" name="role" defaultValue={role} error={state.errors.role}>
                {roles.map((candidate) => <option key={candidate} value={candidate}>{ROLE_WORDS[candidate]}</option>)}
              </SelectField>
              <DialogActions>
                <Button onClick={() => setOpen(false)}>Cancel</Button>
                <Button type="submit" variant="primary" busy={pending && 'Saving…'}>Change role</Button>
              </DialogActions>
            </>
          )}
        </ActionForm>
      </Dialog>
    </>
  );
}
