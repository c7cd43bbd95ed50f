import { Refusal } from '../std';
import type { Actor } from '../tenancy/actor';
import { findManagementActor } from '../tenancy/management-keys';
import type { Tenancy } from '../tenancy/tenancy';
import { isOwnOrigin, type Listening } from './own-origin';
import { DoorError } from './problem';

/**
 * The dashboard session of a request, as an actor in a workspace: the one that is named (slug or id), else the
 * only one that the person belongs to. `signed_out`: no session. Throws Refusal for an unknown workspace.
 */
export type SessionLookup = (request: Request, workspace: string | null) => Promise<Actor | 'signed_out'>;

/**
 * Who is asking. A management key, or the dashboard's session; a request that carries an Authorization header
 * is never taken for a session, and a session's writes must come from our own pages.
 */
export async function authenticate(request: Request, services: { tenancy: Tenancy; env: Listening }, session: SessionLookup): Promise<Actor> {
  const header = request.headers.get('authorization');
  if (header !== null) return await actorOfKey(services.tenancy, header);
  const actor = await session(request, request.headers.get('x-ohm-workspace'));
  if (actor === 'signed_out') throw new Refusal('unauthenticated', 'Send a management key as Authorization: Bearer ohm_mk_…, or sign in.');
  if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request, services.env);
  return actor;
}

async function actorOfKey(tenancy: Tenancy, header: string): Promise<Actor> {
  const token = /^Bearer +([\x21-\x7e]{1,200})$/i.exec(header.trim())?.[1] ?? '';
  if (token.startsWith('ohm_sk_')) {
    throw new Refusal('unauthenticated', 'This is a key for the gateway; the management API wants one that begins with ohm_mk_.');
  }
  const actor = await findManagementActor(tenancy, token);
  if (actor === null) throw new Refusal('unauthenticated', 'The management key is not valid: unknown, revoked or expired.');
  return actor;
}

/** Cookies come along with forged requests; these two headers cannot be forged by a page, as Host can where a name was pointed here. */
function requireSameOrigin(request: Request, env: Listening): void {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') throw crossSite();
  if (!isOwnOrigin(request.headers.get('origin'), request.headers.get('host'), env)) throw crossSite();
}

function crossSite(): DoorError {
  return new DoorError('cross_site', 'With the dashboard’s session, changes are taken from its own pages only. Use a management key from elsewhere.');
}
