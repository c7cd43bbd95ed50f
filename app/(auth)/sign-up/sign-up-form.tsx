'use client';

import { Button, TextField } from '@/app/_ui';
import { ActionForm } from '@/app/_shell/action-form';
import { signUpAction } from '../actions';

export function SignUpForm({ minLength, next }: { minLength: number; next: string }) {
  return (
    <ActionForm action={signUpAction}>
      {(state, pending) => (
        <>
          <input type="hidden" name="next" value={next} />
          <TextField label="E-mail" name="email" type="email" autoComplete="username" inputMode="email" autoCapitalize="none" spellCheck={false} required error={state.errors.email} />
          <TextField
            label="Password" name="password" type="password" autoComplete="new-password" required minLength={minLength} error={state.errors.password}
            hint={`At least ${minLength} characters. Spaces and any symbols are fine; a few unrelated words are easier to keep than a short puzzle.`}
          />
          <TextField label="Workspace name" name="workspace" optional autoComplete="organization" maxLength={60} error={state.errors.workspace} hint="Shown in the dashboard and in its address." />
          <Button type="submit" variant="primary" busy={pending && 'Making the account…'}>Create account</Button>
        </>
      )}
    </ActionForm>
  );
}
