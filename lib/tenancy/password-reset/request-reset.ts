import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../std';
import type { Client } from '../sessions';
import type { Tenancy } from '../tenancy';
import { countAttempt, networkPrefix } from '../users/attempts';
import { normalEmail } from '../users/rules';
import { resetMail, send, type ResetLog } from './mail';
import { issueReset } from './rows';

/** What the verbs may use of the process. */
export interface ResetServices {
  tenancy: Tenancy;
  env: { publicUrl: string };
  log: ResetLog;
}

/** No answer comes sooner, so that an address with an account and one without take the same time. */
const ANSWER_AFTER_MS = 400;

/**
 * Mails a link to a new password, to the address alone. The answer is the same, and takes as long, whether the address
 * has an account or not: nobody waits for the mail server, and a mail that fails is in the log only. Limits count
 * before anything is looked up. Refuses `invalid` for what is no address, `rate_limited`, `unavailable` where there is
 * no mail server.
 */
export async function requestReset({ tenancy, env, log }: ResetServices, input: { email: string }, client: Client): Promise<void> {
  if (tenancy.mail === null) throw new Refusal('unavailable', 'This installation sends no mail. Whoever runs it can set a new password for you.');
  const email = normalEmail(input.email);
  const earliest = delay(ANSWER_AFTER_MS);
  await countAttempt(tenancy, 'reset network', networkPrefix(client.address));
  await countAttempt(tenancy, 'reset address', email);
  const issued = await tenancy.db.transaction((tx) => issueReset(tx, email));
  if (issued !== null) {
    log.info({ user: issued.userId }, 'a link to a new password was asked for');
    void send({ tenancy, log }, issued.userId, resetMail({ to: email, link: resetLink(env.publicUrl, issued.token), expiresAt: issued.expiresAt }));
  }
  await earliest;
}

/** Under the product's own address, whatever a request calls it. */
export const resetLink = (publicUrl: string, token: string): string => `${publicUrl}/reset/${token}`;
