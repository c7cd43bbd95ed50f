import { Notice } from '@/app/_ui';

/** One sentence for a session that has ended and for a sign-up with an address that had an account: it must not tell which. */
export function Ended() {
  return (
    <Notice className="mb-4" title="You are not signed in">
      Sign in to go on: your session may have ended, or the address you gave may have an account with another password.
    </Notice>
  );
}
