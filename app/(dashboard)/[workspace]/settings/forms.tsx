'use client';

import { useState } from 'react';
import { Button, TextField, toast } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import type { LimitsInput } from '@/lib/management/schemas';
import { LimitFields } from '../_limits/limit-fields';

export function ChangePasswordForm({ action, email, minLength }: { action: FormAction<string>; email: string; minLength: number }) {
  const [done, setDone] = useState('');
  return (
    <ActionForm action={action} onResult={(result) => { setDone(result); toast.success('Password changed; other sessions have ended'); }}>
      {(state, pending) => (
        <div key={done} className="flex flex-col gap-4">
          <input type="email" name="email" autoComplete="username" defaultValue={email} hidden readOnly />
          <TextField label="Current password" name="current" type="password" autoComplete="current-password" required error={state.errors.current} />
          <TextField label="New password" name="next" type="password" autoComplete="new-password" required minLength={minLength} error={state.errors.next} hint={`At least ${minLength} characters. Every other session ends.`} />
          <div><Button type="submit" busy={pending && 'Changing…'}>Change password</Button></div>
        </div>
      )}
    </ActionForm>
  );
}

export function WorkspaceNameForm({ action, name, maxLength }: { action: FormAction<string>; name: string; maxLength: number }) {
  return (
    <ActionForm action={action} onResult={() => toast.success('Name saved')}>
      {(state, pending) => (
        <div key={name} className="flex flex-col gap-4">
          <TextField label="Name" name="name" defaultValue={name} required maxLength={maxLength} error={state.errors.name} hint="Shown to the members. The address stays as it is." />
          <div><Button type="submit" busy={pending && 'Saving…'}>Save name</Button></div>
        </div>
      )}
    </ActionForm>
  );
}

export function WorkspaceLimitsForm({ action, revision, defaults }: { action: FormAction<string>; revision: number; defaults: LimitsInput }) {
  return (
    <ActionForm action={action} onResult={() => toast.success('Limits saved')}>
      {(state, pending) => (
        <>
          <LimitFields key={revision} of="workspace" defaults={defaults} errors={state.errors} />
          <div><Button type="submit" busy={pending && 'Saving…'}>Save limits</Button></div>
        </>
      )}
    </ActionForm>
  );
}

export function ActButton({ action, label, name }: { action: FormAction; label: string; /** For screen readers, where the label alone is not enough. */ name?: string }) {
  return (
    <ActionForm action={action} className="contents">
      {(_state, pending) => <Button type="submit" size="sm" aria-label={name} busy={pending && 'One moment…'}>{label}</Button>}
    </ActionForm>
  );
}
