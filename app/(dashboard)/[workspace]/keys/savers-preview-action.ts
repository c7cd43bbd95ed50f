'use server';

import { requireMember } from '@/app/_auth/session';
import { runtime } from '@/lib/boot';
import { SAVER_IDS, type SaverId } from '@/lib/savers/saver';
import type { AppraisalEnd } from '@/lib/waste';

/** What these savers would do to a text: worked out and forgotten. */
export async function previewSaversAction(slug: string, text: string, savers: readonly SaverId[]): Promise<AppraisalEnd> {
  const { user } = await requireMember(slug);
  const { waste } = await runtime();
  const chosen = SAVER_IDS.filter((id) => Array.isArray(savers) && savers.includes(id));
  return await waste.appraise({ text: typeof text === 'string' ? text : '', as: 'tool', savers: chosen, tokenizer: null }, `user ${user.id}`);
}
