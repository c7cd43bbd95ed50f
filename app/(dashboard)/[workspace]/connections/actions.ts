'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { presentMember, requireMember } from '@/app/_auth/session';
import { refused, submit, textOf } from '@/app/_shell/form';
import { signedOut, type FormState } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { testConnection } from '@/lib/management';
import { connectionCreate, connectionTest, connectionUpdate } from '@/lib/management/schemas';
import { isRefusal } from '@/lib/std';
import { createConnection, deleteConnection, requireRole, updateConnection } from '@/lib/tenancy';
import type { TestOutcome } from './_components/test-panel';

export async function createConnectionAction(slug: string, previous: FormState, form: FormData): Promise<FormState> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const provider = textOf(form, 'provider');
  const sandbox = provider === 'sandbox';
  const values = {
    name: textOf(form, 'name') ?? '',
    kind: sandbox ? 'sandbox' : 'http',
    ...(sandbox ? {} : { provider, wire: textOf(form, 'wire'), base_url: textOf(form, 'base_url') ?? '', api_key: textOf(form, 'api_key') ?? null }),
  };
  const outcome = await submit(previous, connectionCreate, values, (input) => createConnection(tenancy, member.actor, input));
  if (!outcome.ok) return outcome.state;
  redirect(`/${slug}/connections/${outcome.value.id}?created=1`);
}

export async function updateConnectionAction(slug: string, id: string, revision: number, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const choice = textOf(form, 'key_choice');
  const values = {
    name: textOf(form, 'name') ?? '',
    ...(form.has('base_url') ? { base_url: textOf(form, 'base_url') ?? '' } : {}),
    ...(choice === 'none' ? { api_key: null } : choice === 'replace' ? { api_key: textOf(form, 'api_key') ?? '' } : {}),
  };
  const outcome = await submit(previous, connectionUpdate, values, (change) => updateConnection(tenancy, member.actor, { id, revision, change }));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/connections`, 'layout');
  return { message: null, errors: {}, attempt: previous.attempt + 1, result: `saved ${outcome.value.revision}` };
}

export async function deleteConnectionAction(slug: string, id: string, name: string, revision: number, previous: FormState, form: FormData): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  if (form.get('confirmation') !== name) return refused(previous, null, [{ field: 'confirmation', message: 'is not the name of this connection' }]).state;
  try {
    await deleteConnection(tenancy, actor, { id, revision });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  redirect(`/${slug}/connections`);
}

export async function testConnectionAction(slug: string, id: string, _previous: TestOutcome, form: FormData): Promise<TestOutcome> {
  const { actor } = await requireMember(slug);
  const services = await runtime();
  const parsed = connectionTest.safeParse({ model: textOf(form, 'model') ?? null });
  if (!parsed.success) return { state: 'refused', message: `The model name ${parsed.error.issues[0]?.message ?? 'is not valid'}.` };
  try {
    requireRole(actor, 'developer'); // it may cost tokens
    const report = await testConnection(services, actor, { id, ...parsed.data });
    return { state: 'tested', report, at: new Date().toISOString() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { state: 'refused', message: error.message };
  }
}
