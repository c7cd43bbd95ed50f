'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button, CodeBlock, Dialog, DialogActions, SelectField, TextField } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { ROLE_WORDS } from '@/app/_shell/role-words';
import type { Role } from '@/lib/tenancy/actor';
import { RevealToken } from '../_components/reveal-token';
import { EXPIRY_PRESETS } from '../keys/_components/expiry';

export interface IssuedForManagement {
  name: string;
  token: string;
}

export function IssueManagementKey({ action, roles, origin }: { action: FormAction<IssuedForManagement>; /** Those that may be given. */ roles: Role[]; origin: string }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [issued, setIssued] = useState<IssuedForManagement | null>(null);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Issue management key…</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Issue a management key" description="It may do what its role may, in this workspace, whoever holds it.">
        <ActionForm action={action} needsScript onResult={(result) => { setOpen(false); setIssued(result); }}>
          {(state, pending) => (
            <>
              <TextField label="Name" name="name" required maxLength={100} autoComplete="off" error={state.errors.name} hint="Says what uses it. Unique in the workspace." />
              <SelectField label="Role" name="role" defaultValue={roles.includes('admin') ? 'admin' : roles.at(-1)} error={state.errors.role}>
                {roles.map((role) => <option key={role} value={role}>{ROLE_WORDS[role]}</option>)}
              </SelectField>
              <SelectField label="Expires" name="expiry" defaultValue="never" error={state.errors.expires_at}>
                {EXPIRY_PRESETS.map((preset) => <option key={preset.value} value={preset.value}>{preset.label}</option>)}
              </SelectField>
              <DialogActions>
                <Button onClick={() => setOpen(false)}>Cancel</Button>
                <Button type="submit" variant="primary" busy={pending && 'Issuing…'}>Issue key</Button>
              </DialogActions>
            </>
          )}
        </ActionForm>
      </Dialog>
      {issued === null ? null : (
        <RevealToken
          title={`Management key “${issued.name}”`} name={issued.name} token={issued.token} envFile={`OHM_MANAGEMENT_KEY=${issued.token}\n`}
          onStored={() => { setIssued(null); router.refresh(); }}
        >
          <CodeBlock title="curl" text={`curl ${origin}/api/v1/me \\\n  -H 'Authorization: Bearer ${issued.token}'`} />
        </RevealToken>
      )}
    </>
  );
}
