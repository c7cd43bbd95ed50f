'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { presentMember, requireMember } from '@/app/_auth/session';
import { refused, submit, textOf } from '@/app/_shell/form';
import { signedOut, type FormState } from '@/app/_shell/form-state';
import { createAlert, createChannel, deleteAlert, deleteChannel, resendDelivery, rotateChannel, ruleIssues, testAlert, updateAlert, updateChannel } from '@/lib/alerts';
import { runtime } from '@/lib/boot';
import { alertCreate, alertUpdate, channelCreate, channelRotate, channelUpdate } from '@/lib/management/schemas';
import { isRefusal } from '@/lib/std';
import { mutedUntil, partsOf, ruleOf } from './_components/alert-form-values';
import type { IssuedSecret } from './_components/channel-forms';

type Done = FormState & { result?: string };

export async function createAlertAction(slug: string, previous: FormState, form: FormData): Promise<FormState> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const services = await runtime();
  const outcome = await submit(previous, alertCreate, ruleOf(form), (input) => createAlert(services, member.actor, input), fieldOf);
  if (!outcome.ok) return withAllIssues(outcome.state, form);
  redirect(`/${slug}/alerts/${outcome.value.id}`);
}

export async function updateAlertAction(slug: string, id: string, revision: number, previous: FormState, form: FormData): Promise<Done> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const services = await runtime();
  const outcome = await submit(previous, alertUpdate, ruleOf(form), (change) => updateAlert(services, member.actor, { id, revision, change }), fieldOf);
  if (!outcome.ok) return withAllIssues(outcome.state, form);
  return done(slug, previous);
}

export async function setAlertEnabledAction(slug: string, id: string, revision: number, enabled: boolean, previous: FormState): Promise<Done> {
  const { actor } = await requireMember(slug);
  const services = await runtime();
  const outcome = await submit(previous, alertUpdate, { enabled }, (change) => updateAlert(services, actor, { id, revision, change }));
  return outcome.ok ? done(slug, previous) : outcome.state;
}

export async function muteAlertAction(slug: string, id: string, revision: number, previous: FormState, form: FormData): Promise<Done> {
  const { actor } = await requireMember(slug);
  const services = await runtime();
  const outcome = await submit(previous, alertUpdate, { muted_until: mutedUntil(textOf(form, 'mute'), Date.now()) }, (change) => updateAlert(services, actor, { id, revision, change }));
  return outcome.ok ? done(slug, previous) : outcome.state;
}

export async function testAlertAction(slug: string, id: string, previous: FormState): Promise<Done> {
  const { actor } = await requireMember(slug);
  const services = await runtime();
  return await act(slug, previous, () => testAlert(services, actor, id));
}

export async function deleteAlertAction(slug: string, id: string, name: string, previous: FormState, form: FormData): Promise<FormState> {
  const { actor } = await requireMember(slug);
  if (form.get('confirmation') !== name) return refused(previous, null, [{ field: 'confirmation', message: 'is not the name of this alert' }]).state;
  const services = await runtime();
  const state = await act(slug, previous, () => deleteAlert(services, actor, { id, revision: null }));
  if (state.message !== null) return state;
  redirect(`/${slug}/alerts`);
}

/** A webhook's secret goes into this one answer, to the tab that asked, and is shown nowhere else. */
export async function createChannelAction(slug: string, previous: FormState, form: FormData): Promise<FormState & { result?: IssuedSecret }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const type = textOf(form, 'type');
  const target = textOf(form, 'target') ?? '';
  const values = { type, name: textOf(form, 'name') ?? '', ...(type === 'email' ? { email: target } : { url: target }) };
  const outcome = await submit(previous, channelCreate, values, (input) => createChannel(tenancy, member.actor, input), targetField);
  if (!outcome.ok) return outcome.state;
  const { name, secret } = outcome.value; // the page is read again once the secret is stored: it must not go with what shows it
  return { ...accepted(previous), result: { name, secret, at: previous.attempt } };
}

export async function rotateChannelAction(slug: string, id: string, previous: FormState, form: FormData): Promise<FormState & { result?: IssuedSecret }> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, channelRotate, { overlap_s: Number(textOf(form, 'overlap_s') ?? '0') }, (input) => rotateChannel(tenancy, actor, { id, ...input }));
  if (!outcome.ok) return outcome.state;
  const { name, secret } = outcome.value; // the page is read again once the secret is stored: it must not go with what shows it
  return { ...accepted(previous), result: { name, secret, at: previous.attempt } };
}

export async function setChannelEnabledAction(slug: string, id: string, revision: number, enabled: boolean, previous: FormState): Promise<Done> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, channelUpdate, { enabled }, (change) => updateChannel(tenancy, actor, { id, revision, change }));
  return outcome.ok ? done(slug, previous) : outcome.state;
}

export async function deleteChannelAction(slug: string, id: string, name: string, previous: FormState, form: FormData): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  if (form.get('confirmation') !== name) return refused(previous, null, [{ field: 'confirmation', message: 'is not the name of this channel' }]).state;
  return await act(slug, previous, () => deleteChannel(tenancy, actor, { id, revision: null }));
}

export async function resendDeliveryAction(slug: string, id: string, previous: FormState): Promise<Done> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  return await act(slug, previous, () => resendDelivery(tenancy, actor, id));
}

async function act(slug: string, previous: FormState, run: () => Promise<unknown>): Promise<Done> {
  try {
    await run();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  return done(slug, previous);
}

function done(slug: string, previous: FormState): Done {
  revalidatePath(`/${slug}/alerts`, 'layout');
  return { ...accepted(previous), result: `done ${previous.attempt}` };
}

const accepted = (previous: FormState): FormState => ({ message: null, errors: {}, attempt: previous.attempt + 1 });

/** What the schema refuses keeps the kind from being asked; the form names all that is wrong in one pass. */
function withAllIssues(state: FormState, form: FormData): FormState {
  const parts = partsOf(form);
  if (parts === null || Object.keys(state.errors).length === 0) return state;
  const { errors } = refused(state, null, ruleIssues(parts)).state;
  return { ...state, errors: { ...errors, ...state.errors } };
}

/** `scope.id` and `channels.3` are one field each in the form. */
const fieldOf = (member: string): string => member.split('.')[0]!;

const targetField = (member: string): string => (member === 'email' || member === 'url' ? 'target' : member);
