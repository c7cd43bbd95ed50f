'use client';

import { Button, TextField } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';

export function RequestForm({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action}>
      {(state, pending) => (
        <>
          <TextField label="E-mail" name="email" type="email" autoComplete="username" inputMode="email" autoCapitalize="none" spellCheck={false} required error={state.errors.email} />
          <Button type="submit" variant="primary" busy={pending && 'Sending…'}>Send me a link</Button>
        </>
      )}
    </ActionForm>
  );
}

export function PasswordForm({ action, email, minLength }: { action: FormAction; email: string; minLength: number }) {
  return (
    <ActionForm action={action}>
      {(state, pending) => (
        <>
          {/* So that a password manager knows whose password it keeps. */}
          <TextField label="Account" name="account" type="email" autoComplete="username" readOnly defaultValue={email} />
          <TextField
            label="New password" name="password" type="password" autoComplete="new-password" required minLength={minLength} error={state.errors.password}
            hint={`At least ${minLength} characters. Spaces and any symbols are fine; a few unrelated words are easier to keep than a short puzzle.`}
          />
          <Button type="submit" variant="primary" busy={pending && 'Setting it…'}>Set password</Button>
        </>
      )}
    </ActionForm>
  );
}
