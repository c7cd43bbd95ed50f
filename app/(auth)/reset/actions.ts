'use server';

import { redirect } from 'next/navigation';
import * as z from 'zod';
import { requestReset, resetPassword } from '@/app/_auth/actions';
import { submit } from '@/app/_shell/form';
import type { FormState } from '@/app/_shell/form-state';

const text = z.string({ error: 'must be filled in' });
const request = z.object({ email: text.trim().min(1, 'must be filled in') });
const choice = z.object({ password: text.min(1, 'must be filled in') }); // never trimmed: a space may be part of it

/** The same way on whether the address has an account or not. */
export async function requestResetAction(previous: FormState, form: FormData): Promise<FormState> {
  const outcome = await submit(previous, request, { email: form.get('email') }, (input) => requestReset(input));
  if (!outcome.ok) return outcome.state;
  redirect('/reset?sent=1');
}

export async function resetPasswordAction(token: string, previous: FormState, form: FormData): Promise<FormState> {
  const outcome = await submit(previous, choice, { password: form.get('password') }, ({ password }) => resetPassword({ token, password }));
  if (!outcome.ok) return outcome.state;
  redirect(outcome.value);
}
