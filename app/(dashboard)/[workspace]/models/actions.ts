'use server';

import { revalidatePath } from 'next/cache';
import { presentMember, requireMember } from '@/app/_auth/session';
import { refused, submit, textOf } from '@/app/_shell/form';
import { signedOut, type FormState } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { priceSet } from '@/lib/management/schemas';
import { isRefusal } from '@/lib/std';
import { deletePrice, setPrice } from '@/lib/tenancy/prices';
import { nanoUsdOf } from './_components/usd-rate';

export async function statePriceAction(slug: string, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  const member = await presentMember(slug);
  if (member === null) return signedOut(previous);
  const { tenancy } = await runtime();
  const day = textOf(form, 'effective_from');
  const values = {
    connection: textOf(form, 'connection') ?? '',
    model: textOf(form, 'model') ?? '',
    ...(day === undefined ? {} : { effective_from: `${day}T00:00:00Z` }),
    input_nano_usd_per_million_tokens: nanoUsdOf(textOf(form, 'input')),
    output_nano_usd_per_million_tokens: nanoUsdOf(textOf(form, 'output')),
    cached_input_nano_usd_per_million_tokens: nanoUsdOf(textOf(form, 'cached_input')),
    cache_write_nano_usd_per_million_tokens: nanoUsdOf(textOf(form, 'cache_write')),
  };
  const outcome = await submit(previous, priceSet, values, (input) => setPrice(tenancy, member.actor, input));
  if (!outcome.ok) return { ...outcome.state, errors: inDollars(outcome.state.errors) };
  revalidatePath(`/${slug}/models`);
  return { ...accepted(previous), result: `${outcome.value.id} ${previous.attempt}` };
}

export async function takePriceBackAction(slug: string, id: string, previous: FormState): Promise<FormState> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  try {
    await deletePrice(tenancy, actor, { id });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refused(previous, error.message).state;
  }
  revalidatePath(`/${slug}/models`);
  return accepted(previous);
}

const accepted = (previous: FormState): FormState => ({ message: null, errors: {}, attempt: previous.attempt + 1 });

/** The schema speaks of nano-USD; whoever typed dollars is told about dollars. */
function inDollars(errors: FormState['errors']): FormState['errors'] {
  return Object.fromEntries(Object.entries(errors).map(([field, message]) => [field, field.endsWith('_tokens') ? 'Dollars a million tokens, such as 0.15, with at most six decimals.' : message]));
}
