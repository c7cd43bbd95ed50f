import { isOfRecentSignUp } from '@/app/_auth/cookie';
import { Notice } from '@/app/_ui';

/**
 * Why nobody is signed in although there is a cookie. After a sign-up one sentence stands for a session that has ended
 * and for an address that had an account: it must not tell which. Any other cookie is that of a session that has ended.
 */
export async function Ended() {
  return (
    <Notice className="mb-4" title="You are not signed in">
      {(await isOfRecentSignUp()) ? 'Sign in to go on: your session may have ended, or the address you gave may have an account with another password.' : 'Your session has ended. Sign in to go on.'}
    </Notice>
  );
}
