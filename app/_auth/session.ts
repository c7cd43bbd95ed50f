import { cache } from 'react';
import { headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { runtime } from '@/lib/boot';
import { TARGET_HEADER } from '@/lib/server/request-target';
import { listMemberships, readSession, type Actor, type Membership, type SignedIn } from '@/lib/tenancy';
import { presentSessionId } from './cookie';
import { returnPath } from './return-path';
import { requireSameOrigin } from './same-origin';

/** The signed-in person of this request, or null. The session's row is read every time, once a request. */
export const currentSession = cache(async (): Promise<SignedIn | null> => {
  const sessionId = await presentSessionId();
  if (sessionId === null) return null;
  const { tenancy } = await runtime();
  return await readSession(tenancy, sessionId);
});

/** The workspaces of the signed-in person, once a request. */
export const currentMemberships = cache(async (userId: string): Promise<Membership[]> => {
  const { tenancy } = await runtime();
  return await listMemberships(tenancy, userId);
});

/**
 * Goes to sign-in when nobody is signed in. `next` is where sign-in leads back to; `ended=1` says that the browser
 * had a cookie which opens nothing: a session that has ended, or a sign-up with an address that had an account.
 * A form that was sent from elsewhere is 403.
 */
export async function requireUser(returnTo?: string): Promise<SignedIn> {
  await requireSameOrigin();
  const session = await currentSession();
  if (session) return session;
  const query = new URLSearchParams();
  if (returnTo) query.set('next', returnTo);
  if ((await presentSessionId()) !== null) query.set('ended', '1');
  redirect(query.size > 0 ? `/sign-in?${query}` : '/sign-in');
}

export interface Member {
  actor: Actor;
  user: SignedIn['user'];
  sessionId: string;
  workspace: Membership['workspace'];
}

/**
 * requireMember() for the action of a form that a script sends: null when nobody is signed in any more. A redirect would
 * throw away what was typed. Without script it redirects: the form's page is gone then anyhow.
 */
export async function presentMember(workspaceSlug: string): Promise<Member | null> {
  await requireSameOrigin();
  const byScript = (await headers()).get('next-action') !== null;
  return byScript && (await currentSession()) === null ? null : await requireMember(workspaceSlug);
}

/**
 * For every page, action and handler of a workspace, first thing. Somebody else's workspace is 404, like one that
 * does not exist; the role is the one held now, not the one at sign-in.
 */
export async function requireMember(workspaceSlug: string): Promise<Member> {
  // A file that browsers and crawlers look for, /favicon.ico or /sitemap.xml, is no workspace: nobody is asked to sign in for it.
  if (!/^[a-z0-9-]+$/.test(workspaceSlug)) notFound();
  const { user, sessionId } = await requireUser(returnPath((await headers()).get(TARGET_HEADER), workspaceSlug));
  const membership = (await currentMemberships(user.id)).find(({ workspace }) => workspace.slug === workspaceSlug);
  if (!membership) notFound();
  const { workspace, role } = membership;
  return { actor: { kind: 'user', id: user.id, workspaceId: workspace.id, role }, user, sessionId, workspace };
}
