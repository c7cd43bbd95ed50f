'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { signOut } from '@/app/_auth/actions';
import { clientOf } from '@/app/_auth/client';
import { requireUser } from '@/app/_auth/session';
import { refused } from '@/app/_shell/form';
import type { FormState } from '@/app/_shell/form-state';
import { hrefWith } from '@/app/_shell/search-params';
import { runtime } from '@/lib/boot';
import { isRefusal } from '@/lib/std';
import { acceptInvite } from '@/lib/tenancy';

/** Leads into the workspace; who was a member already is told so there. */
export async function acceptInviteAction(token: string, previous: FormState): Promise<FormState> {
  const { user } = await requireUser(pathOf(token));
  const { tenancy, env } = await runtime();
  const outcome = await acceptInvite(tenancy, user, token, clientOf(await headers(), env.trustedProxies)).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    return error;
  });
  if (isRefusal(outcome)) return refused(previous, outcome.message).state;
  const { workspace, joined } = outcome;
  redirect(joined ? `/${workspace.slug}` : `/${workspace.slug}/members?already=1`);
}

export async function switchAccountAction(token: string): Promise<void> {
  await signOut();
  redirect(hrefWith('/sign-in', {}, { next: pathOf(token) }));
}

const pathOf = (token: string) => `/invite/${encodeURIComponent(token)}`;
