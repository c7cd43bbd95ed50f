'use client';

import { Button, TextField } from '@/app/_ui';
import { ActionForm } from '@/app/_shell/action-form';
import { signInAction } from '../actions';

export function SignInForm({ next }: { next: string }) {
  return (
    <ActionForm action={signInAction}>
      {(state, pending) => (
        <>
          <input type="hidden" name="next" value={next} />
          <TextField label="E-mail" name="email" type="email" autoComplete="username" inputMode="email" autoCapitalize="none" spellCheck={false} required error={state.errors.email} />
          <TextField label="Password" name="password" type="password" autoComplete="current-password" required error={state.errors.password} />
          <Button type="submit" variant="primary" busy={pending && 'Signing in…'}>Sign in</Button>
        </>
      )}
    </ActionForm>
  );
}
