'use server';

import { redirect } from 'next/navigation';
import * as z from 'zod';
import { signIn, signOut, signUp } from '@/app/_auth/actions';
import { safePath } from '@/app/_auth/safe-path';
import { submit } from '@/app/_shell/form';
import type { FormState } from '@/app/_shell/form-state';

/** Leads on to the person's workspace, or back to sign-in when nobody is signed in. */
const DASHBOARD = '/app';

const text = z.string({ error: 'must be filled in' });
const email = text.trim().min(1, 'must be filled in');
const password = text.min(1, 'must be filled in'); // never trimmed: a space may be part of it

const credentials = z.object({ email, password });
const account = z.object({ email, password, workspace: text });

export async function signInAction(previous: FormState, form: FormData): Promise<FormState> {
  const outcome = await submit(previous, credentials, members(form), (input) => signIn(input));
  if (!outcome.ok) return outcome.state;
  redirect(safePath(String(form.get('next') ?? ''), DASHBOARD));
}

/** The same way on whether the address was free or taken: see app/_auth/actions.ts. */
export async function signUpAction(previous: FormState, form: FormData): Promise<FormState> {
  const outcome = await submit(previous, account, members(form), (input) => signUp(input));
  if (!outcome.ok) return outcome.state;
  redirect(safePath(String(form.get('next') ?? ''), DASHBOARD));
}

export async function signOutAction(): Promise<void> {
  redirect(await signOut());
}

const members = (form: FormData) => ({ email: form.get('email'), password: form.get('password'), workspace: form.get('workspace') ?? '' });
