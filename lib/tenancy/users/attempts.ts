import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { sql } from 'drizzle-orm';
import { Refusal } from '../../std';
import type { Tenancy } from '../tenancy';

/** How often something may be tried, and how the waits grow beyond it. */
interface Limit {
  /** Attempts within `forgetAfterS` of each other before the first wait. */
  free: number;
  firstWaitS: number;
  longestWaitS: number;
  forgetAfterS: number;
}

/**
 * Per account a guesser gets ten tries and then one in up to five minutes, from wherever they come. The owner's own
 * wait is never longer than that. Per network the limits are wider: an office shares an address.
 */
const LIMITS = {
  'sign-in account': { free: 10, firstWaitS: 2, longestWaitS: 300, forgetAfterS: 3_600 },
  'sign-in network': { free: 50, firstWaitS: 1, longestWaitS: 300, forgetAfterS: 3_600 },
  'sign-up network': { free: 100, firstWaitS: 1, longestWaitS: 60, forgetAfterS: 3_600 },
  'invite network': { free: 50, firstWaitS: 1, longestWaitS: 300, forgetAfterS: 3_600 },
  'reset network': { free: 50, firstWaitS: 1, longestWaitS: 300, forgetAfterS: 3_600 },
  'reset link network': { free: 50, firstWaitS: 1, longestWaitS: 300, forgetAfterS: 3_600 },
  'reset address': { free: 5, firstWaitS: 60, longestWaitS: 3_600, forgetAfterS: 43_200 },
  // Mail that nobody has asked for: a mailbox is not flooded, whoever invites it, nor the operator's server used for that.
  'invite workspace': { free: 200, firstWaitS: 1, longestWaitS: 300, forgetAfterS: 3_600 },
  'invite address': { free: 10, firstWaitS: 60, longestWaitS: 3_600, forgetAfterS: 43_200 },
} satisfies Record<string, Limit>;

export type AttemptKind = keyof typeof LIMITS;

/** Rows that are kept at most: a flood of invented names does not fill the disk. */
const MAX_ROWS = 100_000;

/**
 * Counts an attempt before it is looked at, in one statement a bucket, so that a thousand at once are counted like
 * a thousand in a row. Throws Refusal('rate_limited') with the seconds to wait.
 */
export async function countAttempt(tenancy: Tenancy, kind: AttemptKind, subject: string): Promise<void> {
  const { free, firstWaitS, longestWaitS, forgetAfterS } = LIMITS[kind];
  const bucket = bucketOf(tenancy, kind, subject);
  const fresh = sql`(a.last_failure_at < now() - make_interval(secs => ${forgetAfterS}))`;
  const count = sql`(case when ${fresh} then 1 else a.failures + 1 end)`;
  const waitS = sql`least(${longestWaitS}::float8, ${firstWaitS}::float8 * 2 ^ least(${count} - ${free} - 1, 30))`;
  const waitLeftS = await tenancy.db.transaction(async (tx) => {
    const [counted] = await tx.execute(sql`
      insert into login_attempts as a (bucket, failures, last_failure_at) values (${bucket}, 1, now())
      on conflict (bucket) do update set
        failures = ${count},
        last_failure_at = now(),
        blocked_until = case when ${count} > ${free} then now() + make_interval(secs => ${waitS}) end
      where a.blocked_until is null or a.blocked_until <= now()
      returning a.bucket`);
    if (counted) return null;
    const [blocked] = await tx.execute<{ left: number }>(sql`
      select greatest(1, ceil(extract(epoch from blocked_until - now())))::int as left from login_attempts where bucket = ${bucket}`);
    return blocked?.left ?? 1;
  });
  if (Math.random() < 0.01) await sweepAttempts(tenancy);
  if (waitLeftS !== null) throw new Refusal('rate_limited', `Too many attempts. Try again in ${waitLeftS} s.`, [], waitLeftS);
}

/** The attempt was the rightful person's: their account starts afresh, their network is given the attempt back. */
export async function forgiveAttempt(tenancy: Tenancy, account: string, network: string): Promise<void> {
  await forgiveAccount(tenancy, account);
  await forgiveNetwork(tenancy, 'sign-in network', network);
}

/** The account starts afresh: what was guessed at its password no longer counts. */
export async function forgiveAccount(tenancy: Tenancy, account: string): Promise<void> {
  const bucket = bucketOf(tenancy, 'sign-in account', account);
  await tenancy.db.unscoped((queries) => queries.execute(sql`delete from login_attempts where bucket = ${bucket}`));
}

/** The network is given the attempt back. */
export async function forgiveNetwork(tenancy: Tenancy, kind: 'sign-in network' | 'invite network' | 'reset link network', network: string): Promise<void> {
  const bucket = bucketOf(tenancy, kind, network);
  await tenancy.db.unscoped((queries) => queries.execute(sql`update login_attempts set failures = greatest(failures - 1, 0) where bucket = ${bucket}`));
}

export async function sweepAttempts(tenancy: Tenancy, maxRows = MAX_ROWS): Promise<void> {
  await tenancy.db.unscoped(async (queries) => {
    await queries.execute(sql`delete from login_attempts where last_failure_at < now() - interval '1 day'`);
    await queries.execute(sql`
      delete from login_attempts where bucket in (select bucket from login_attempts order by last_failure_at desc offset ${maxRows})`);
  });
}

/** What stands for a client in the limits: an IPv4 address, or the /56 that one IPv6 customer gets; else one for all. */
export function networkPrefix(address: string | null): string {
  if (address === null) return 'unknown';
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0]!;
  if (isIP(plain) === 4) return plain;
  if (isIP(plain) !== 6) return 'unknown';
  return `${groups(plain).slice(0, 4).join(':').slice(0, -2)}00::/56`;
}

/** The eight groups of an IPv6 address, four digits each. */
function groups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
}

function bucketOf(tenancy: Tenancy, kind: AttemptKind, subject: string): string {
  return `${kind} ${createHmac('sha256', tenancy.attemptKey).update(subject).digest('base64url')}`;
}
