'use server';

import { revalidatePath } from 'next/cache';
import * as z from 'zod';
import { changePassword } from '@/app/_auth/actions';
import { presentMember, requireMember } from '@/app/_auth/session';
import { refused, submit, textOf } from '@/app/_shell/form';
import { signedOut, type FormState } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { managementKeyCreate, workspaceUpdate } from '@/lib/management/schemas';
import { isRefusal } from '@/lib/std';
import { createManagementKey, deleteManagementKey, endSession, endSessionsOf, updateWorkspace } from '@/lib/tenancy';
import { limitsOf } from '../_limits/limit-form';
import { expiryOf } from '../keys/_components/expiry';
import type { IssuedForManagement } from './issue-management-key';

const text = z.string().min(1, 'must be filled in');
const passwords = z.object({ current: text, next: text });

export async function changePasswordAction(slug: string, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  await requireMember(slug);
  const outcome = await submit(previous, passwords, { current: form.get('current'), next: form.get('next') }, (input) => changePassword(input));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/settings`);
  return { ...accepted(previous), result: `changed ${previous.attempt}` };
}

export async function endSessionAction(slug: string, sessionId: string, previous: FormState): Promise<FormState> {
  const { user } = await requireMember(slug);
  const { tenancy } = await runtime();
  try {
    await endSession(tenancy, sessionId, user.id);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  revalidatePath(`/${slug}/settings`);
  return accepted(previous);
}

export async function endOtherSessionsAction(slug: string, previous: FormState): Promise<FormState> {
  const { user, sessionId } = await requireMember(slug);
  const { tenancy } = await runtime();
  await endSessionsOf(tenancy, user.id, sessionId);
  revalidatePath(`/${slug}/settings`);
  return accepted(previous);
}

export async function renameAction(slug: string, revision: number, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, workspaceUpdate, { name: textOf(form, 'name') ?? '' }, (change) => updateWorkspace(tenancy, member.actor, { revision, change }));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}`, 'layout');
  return { ...accepted(previous), result: `renamed ${outcome.value.revision}` };
}

export async function saveLimitsAction(slug: string, revision: number, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, workspaceUpdate, { limits: limitsOf(form) }, (change) => updateWorkspace(tenancy, member.actor, { revision, change }));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/settings`);
  return { ...accepted(previous), result: `saved ${outcome.value.revision}` };
}

/** The token goes into this one answer, to the tab that asked, and is not kept anywhere. */
export async function issueManagementKeyAction(slug: string, previous: FormState, form: FormData): Promise<FormState & { result?: IssuedForManagement }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const values = { name: textOf(form, 'name') ?? '', role: textOf(form, 'role'), expires_at: expiryOf(textOf(form, 'expiry'), undefined, Date.now()) };
  const outcome = await submit(previous, managementKeyCreate, values, (input) => createManagementKey(tenancy, member.actor, input));
  if (!outcome.ok) return outcome.state;
  const { name, key } = outcome.value;
  return { ...accepted(previous), result: { name, token: key } };
}

export async function revokeManagementKeyAction(slug: string, id: string, name: string, previous: FormState, form: FormData): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  if (form.get('confirmation') !== name) return refused(previous, null, [{ field: 'confirmation', message: 'is not the name of this key' }]).state;
  try {
    await deleteManagementKey(tenancy, actor, { id });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  revalidatePath(`/${slug}/settings`);
  return accepted(previous);
}

const accepted = (previous: FormState): FormState => ({ message: null, errors: {}, attempt: previous.attempt + 1 });
