import { headers } from 'next/headers';
import { forbidden } from 'next/navigation';
import { runtime } from '@/lib/boot';
import { isOwnOrigin } from '@/lib/management/own-origin';
import { Refusal } from '@/lib/std';

/**
 * For everything that a form may change, first thing; harmless where a page is only read. Next compares Origin with
 * X-Forwarded-Host and Host, which the sender writes, and takes a request without an Origin: neither holds here.
 */
export async function requireSameOrigin(): Promise<void> {
  if (await isForeignForm()) forbidden();
}

/**
 * The same for a form whose page asks as well. A form sent without script gets its page again, and Next would make
 * `forbidden()` in the action a 404: the page's own requireSameOrigin() then answers 403.
 */
export async function refuseForeignForm(): Promise<void> {
  if (!(await isForeignForm())) return;
  if ((await headers()).get('next-action') !== null) forbidden();
  throw new Refusal('forbidden', 'This form was not sent from a page of this installation.');
}

async function isForeignForm(): Promise<boolean> {
  const incoming = await headers();
  if (!isForm(incoming)) return false;
  const site = incoming.get('sec-fetch-site');
  if (site === 'cross-site' || site === 'same-site') return true;
  const { env } = await runtime();
  return !isOwnOrigin(incoming.get('origin'), incoming.get('host'), env);
}

/** What makes Next run an action. Its own requests for pages have none of it. */
function isForm(incoming: { get(name: string): string | null }): boolean {
  return incoming.get('next-action') !== null || /^\s*(?:multipart\/form-data|application\/x-www-form-urlencoded)/i.test(incoming.get('content-type') ?? '');
}
