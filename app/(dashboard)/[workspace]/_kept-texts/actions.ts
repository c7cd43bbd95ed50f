'use server';

import { revalidatePath } from 'next/cache';
import { requireMember } from '@/app/_auth/session';
import { formatCounted } from '@/app/_ui';
import { refused, submit } from '@/app/_shell/form';
import type { FormState } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { textsPurge, type TextsPurge } from '@/lib/management/schemas';
import { purgeTexts } from '@/lib/tenancy';

export async function deleteTextsAction(slug: string, of: TextsPurge, name: string, previous: FormState, form: FormData): Promise<FormState & { result?: string }> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  if (form.get('confirmation') !== name) return refused(previous, null, [{ field: 'confirmation', message: 'is not this name' }]).state;
  const outcome = await submit(previous, textsPurge, of, (input) => purgeTexts(tenancy, actor, input));
  if (!outcome.ok) return outcome.state;
  revalidatePath(`/${slug}/calls`, 'layout');
  return { message: null, errors: {}, attempt: previous.attempt + 1, result: `Deleted: the texts of ${formatCounted(outcome.value.calls, 'call')}` };
}
