'use server';

import { requireMember } from '@/app/_auth/session';
import { submit } from '@/app/_shell/form';
import type { FormState } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { replayPurge, type ReplayPurge } from '@/lib/management/schemas';
import { purgeReplay } from '@/lib/tenancy';

export async function forgetAnswersAction(slug: string, of: ReplayPurge, previous: FormState): Promise<FormState & { result?: string }> {
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const outcome = await submit(previous, replayPurge, of, (input) => purgeReplay(tenancy, actor, input));
  return outcome.ok ? { message: null, errors: {}, attempt: previous.attempt + 1, result: outcome.value.purged_at } : outcome.state;
}
