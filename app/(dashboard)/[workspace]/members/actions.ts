'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { presentMember, requireMember } from '@/app/_auth/session';
import { refused, submit } from '@/app/_shell/form';
import { signedOut, type FormState } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { inviteCreate, inviteUpdate, memberUpdate, type IssuedInvite } from '@/lib/management/schemas';
import { isRefusal } from '@/lib/std';
import { changeInvite, changeRole, createInvite, removeMember, revokeInvite } from '@/lib/tenancy';
import type { SentInvite } from './_components/invite-outcome';

/** The link, where there is one, goes into this one answer, to the tab that asked, and is not kept anywhere. */
export async function inviteAction(slug: string, previous: FormState, form: FormData): Promise<FormState & { result?: SentInvite }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const services = await runtime();
  const outcome = await submit(previous, inviteCreate, { email: form.get('email') ?? '', role: form.get('role') }, (input) => createInvite(services, member.actor, input));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/members`);
  return { ...accepted(previous), result: sent(outcome.value) };
}

export async function sendAgainAction(slug: string, email: string, role: string, previous: FormState): Promise<FormState & { result?: SentInvite }> {
  const { actor } = await requireMember(slug);
  const services = await runtime();
  const outcome = await submit(previous, inviteCreate, { email, role }, (input) => createInvite(services, actor, input));
  if (!outcome.ok) return aboutTheForm(outcome.state);
  revalidatePath(`/${slug}/members`);
  return { ...accepted(previous), result: sent(outcome.value) };
}

export async function changeInviteAction(slug: string, id: string, revision: number, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, inviteUpdate, { role: form.get('role') }, ({ role }) => changeInvite(tenancy, actor, { id, revision, role }));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/members`);
  return { ...accepted(previous), result: `${id} ${outcome.value.revision}` };
}

export async function revokeInviteAction(slug: string, id: string, previous: FormState): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  try {
    await revokeInvite(tenancy, actor, { id });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  revalidatePath(`/${slug}/members`);
  return accepted(previous);
}

export async function changeRoleAction(slug: string, userId: string, revision: number, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, memberUpdate, { role: form.get('role') }, ({ role }) => changeRole(tenancy, actor, { userId, revision, role }));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/members`);
  return { ...accepted(previous), result: `${userId} ${outcome.value.revision}` };
}

export async function removeMemberAction(slug: string, userId: string, email: string, previous: FormState, form: FormData): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  if (form.get('confirmation') !== email) return refused(previous, null, [{ field: 'confirmation', message: 'is not the address of this member' }]).state;
  try {
    await removeMember(tenancy, actor, { userId, keys: form.get('keys') === 'disable' ? 'disable' : 'keep' });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  revalidatePath(`/${slug}/members`);
  return accepted(previous);
}

export async function leaveAction(slug: string, previous: FormState, form: FormData): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  if (form.get('confirmation') !== slug) return refused(previous, null, [{ field: 'confirmation', message: 'is not the address of this workspace' }]).state;
  try {
    await removeMember(tenancy, actor, { userId: actor.id });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  redirect('/app');
}

const accepted = (previous: FormState): FormState => ({ message: null, errors: {}, attempt: previous.attempt + 1 });

const sent = ({ id, revision, email, mail, mail_error: error, link }: IssuedInvite): SentInvite => ({ key: `${id} ${revision}`, email, mail, error, link });

/** A button has no fields to put messages beside. */
const aboutTheForm = (state: FormState): FormState => ({ ...state, message: state.message ?? Object.values(state.errors).join(' '), errors: {} });
