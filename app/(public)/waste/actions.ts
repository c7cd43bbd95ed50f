'use server';

import { headers } from 'next/headers';
import { clientOf } from '@/app/_auth/client';
import { refuseForeignForm } from '@/app/_auth/same-origin';
import { runtime } from '@/lib/boot';
import { SAVER_IDS } from '@/lib/savers/saver';
import { isRefusal } from '@/lib/std';
import { networkPrefix } from '@/lib/tenancy';
import { TOKENIZERS } from '@/lib/waste';
import type { WasteState } from './_components/waste-state';

/** Works the text out and answers; neither the text nor what came of it is written anywhere. */
export async function appraiseAction(previous: WasteState, form: FormData): Promise<WasteState> {
  try {
    await refuseForeignForm();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return previous; // the page itself then answers 403
  }
  const { waste, env } = await runtime();
  const chosen = form.getAll('savers');
  const values = {
    text: String(form.get('text') ?? '').replaceAll('\r\n', '\n'), // what a form makes of line ends
    as: form.get('as') === 'user' ? ('user' as const) : ('tool' as const),
    savers: SAVER_IDS.filter((id) => chosen.includes(id)),
    tokenizer: TOKENIZERS.find((name) => name === form.get('tokenizer')) ?? null,
  };
  const { address } = clientOf(await headers(), env.trustedProxies);
  return { values, end: await waste.appraise(values, networkPrefix(address)) };
}
