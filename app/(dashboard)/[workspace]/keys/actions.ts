'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { presentMember, requireMember } from '@/app/_auth/session';
import { refused, submit, textOf } from '@/app/_shell/form';
import { signedOut, type FormState } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { keyCreate, keyRotate, keyUpdate, type IssuedKey } from '@/lib/management/schemas';
import { isRefusal } from '@/lib/std';
import { createKey, deleteKey, rotateKey, updateKey } from '@/lib/tenancy';
import { limitsOf } from '../_limits/limit-form';
import { expiryErrors, expiryOf } from './_components/expiry';
import { modelToTry } from './_components/key-words';
import type { Issued } from './_components/reveal-key';
import { savingOf } from './_components/savers-form';

/** The token goes into this one answer, to the tab that asked, and is not kept anywhere. */
export async function issueKeyAction(slug: string, previous: FormState, form: FormData): Promise<FormState & { result?: Issued }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, keyCreate, { ...settingsOf(form), expires_at: expiry(form) ?? null }, (input) => createKey(tenancy, member.actor, input));
  if (!outcome.ok) return aboutExpiry(outcome.state, form);
  return { ...accepted(previous), result: issued(outcome.value) };
}

export async function updateKeyAction(slug: string, id: string, revision: number, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const expires = expiry(form);
  const values = { ...settingsOf(form), ...(expires === undefined ? {} : { expires_at: expires }) };
  const outcome = await submit(previous, keyUpdate, values, (change) => updateKey(tenancy, member.actor, { id, revision, change }));
  if (!outcome.ok) return aboutExpiry(outcome.state, form);
  revalidatePath(`/${slug}/keys`, 'layout');
  return { ...accepted(previous), result: `saved ${outcome.value.revision}` };
}

export async function setKeyDisabledAction(slug: string, id: string, revision: number, disabled: boolean, previous: FormState): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, keyUpdate, { disabled }, (change) => updateKey(tenancy, actor, { id, revision, change }));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/keys`, 'layout');
  return accepted(previous);
}

export async function rotateKeyAction(slug: string, id: string, previous: FormState, form: FormData): Promise<FormState & { result?: Issued }> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, keyRotate, { overlap_s: Number(textOf(form, 'overlap_s') ?? '0') }, (input) => rotateKey(tenancy, actor, { id, ...input }));
  if (!outcome.ok) return outcome.state;
  return { ...accepted(previous), result: issued(outcome.value) };
}

export async function revokeKeyAction(slug: string, id: string, name: string, previous: FormState, form: FormData): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  if (form.get('confirmation') !== name) return refused(previous, null, [{ field: 'confirmation', message: 'is not the name of this key' }]).state;
  try {
    await deleteKey(tenancy, actor, { id });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  redirect(`/${slug}/keys`);
}

const accepted = (previous: FormState): FormState => ({ message: null, errors: {}, attempt: previous.attempt + 1 });

const expiry = (form: FormData) => expiryOf(textOf(form, 'expiry'), textOf(form, 'expires_on'), Date.now());

const aboutExpiry = (state: FormState, form: FormData): FormState => ({ ...state, errors: expiryErrors(state.errors, textOf(form, 'expiry'), textOf(form, 'expires_on')) });

function settingsOf(form: FormData) {
  return {
    name: textOf(form, 'name') ?? '',
    default_route: textOf(form, 'default_route') ?? null,
    strict_route: form.has('strict_route'),
    direct_models: form.has('direct_models'),
    limits: limitsOf(form),
    ...savingOf(form),
    replay: { enabled: form.has('replay_enabled'), ttl_s: Number(textOf(form, 'replay_ttl_s')), scope: textOf(form, 'replay_scope') },
  };
}

function issued(key: IssuedKey): Issued {
  return { id: key.id, name: key.name, token: key.key, model: modelToTry(key) };
}
