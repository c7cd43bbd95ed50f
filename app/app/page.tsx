import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentMemberships, requireUser } from '@/app/_auth/session';
import { PlainPage } from '@/app/_shell/plain-page';

export const metadata: Metadata = { title: 'Your workspaces', robots: { index: false } };

/** The way into the dashboard: to the person's first workspace, or to sign-in. */
export default async function AppPage() {
  const { user } = await requireUser();
  const [first] = await currentMemberships(user.id);
  if (first) redirect(`/${first.workspace.slug}`);
  return <PlainPage title="No workspace">You are not a member of any workspace. Ask an owner to invite {user.email}.</PlainPage>;
}
