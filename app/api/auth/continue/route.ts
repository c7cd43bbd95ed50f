import { redirect } from 'next/navigation';
import { currentMemberships, currentSession } from '@/app/_auth/session';

/** Where sign-in and sign-up lead: on to the person's first workspace, or back to sign-in when nobody is signed in. */
export async function GET(): Promise<never> {
  const session = await currentSession();
  if (!session) redirect('/sign-in?after=sign-up');
  const [first] = await currentMemberships(session.user.id);
  redirect(first ? `/${first.workspace.slug}` : '/');
}
