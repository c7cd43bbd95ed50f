'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { requireMember } from '@/app/_auth/session';
import { refused, submit } from '@/app/_shell/form';
import type { FormState } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { createExport, deleteExport } from '@/lib/management';
import { exportCreate } from '@/lib/management/schemas';
import { isRefusal } from '@/lib/std';
import { queryOf, readFilters } from '../_components/filters';

/** Exports the calls that the filters of the address choose. Without script the form's answer is the page itself. */
export async function createExportAction(slug: string, search: Record<string, string>, previous: FormState, form: FormData): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const services = await runtime();
  const filter = Object.fromEntries(Object.entries(queryOf(readFilters(search), Date.now())).filter(([, value]) => value !== undefined));
  const outcome = await submit(previous, exportCreate, { format: form.get('format'), filter }, (input) => createExport(services, actor, input));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/calls/exports`);
  redirect(`/${slug}/calls/exports?${new URLSearchParams(search)}`);
}

export async function deleteExportAction(slug: string, id: string, previous: FormState): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  try {
    await deleteExport(tenancy, actor, id);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  revalidatePath(`/${slug}/calls/exports`);
  return { message: null, errors: {}, attempt: previous.attempt + 1 };
}
