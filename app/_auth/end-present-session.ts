import { runtime } from '@/lib/boot';
import { isRefusal } from '@/lib/std';
import { endSession } from '@/lib/tenancy';
import { presentSessionId } from './cookie';

/** Ends the session that the request's cookie names, in the database: copies of the cookie are dead as well. */
export async function endPresentSession(): Promise<void> {
  const sessionId = await presentSessionId();
  if (sessionId === null) return;
  const { tenancy } = await runtime();
  await endSession(tenancy, sessionId).catch((error: unknown) => {
    if (!isRefusal(error) || error.code !== 'not_found') throw error; // it had ended already
  });
}
