import { sql } from 'drizzle-orm';
import { constraintViolated, withWorkspace, type Tx } from '../../db';
import { connections } from '../../db/schema';
import type { ConnectionCreate, ConnectionView } from '../../management/schemas';
import type { Wire } from '../../providers';
import { newId, Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import type { Tenancy } from '../tenancy';
import { requireRole } from '../require-role';
import { checkedBaseUrl } from './base-url';
import { presetOf, providerAt, wireOf } from './provider';
import { connectionRow, connectionView } from './rows';
import { sealedKey } from './sealed-key';

/** Every process keeps a workspace's connections in memory. */
export const MAX_CONNECTIONS = 200;

/** Adds a connection. Contacts nobody. Refuses `invalid`, `conflict` (name taken, too many). */
export async function createConnection(tenancy: Tenancy, actor: Actor, input: ConnectionCreate): Promise<ConnectionView> {
  requireRole(actor, 'admin');
  const target = input.kind === 'sandbox' ? sandboxTarget(input) : httpTarget(tenancy, input);
  const id = newId('conn');
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    await requireRoom(tx);
    await tx.insert(connections).values({
      id,
      workspaceId: actor.workspaceId,
      name: input.name,
      kind: input.kind,
      ...target,
      ...sealedKey(tenancy, { workspaceId: actor.workspaceId, id, keyVersion: 1 }, input.api_key ?? null),
    });
    const view = connectionView(await connectionRow(tx, actor.workspaceId, id, false), []);
    await audit(tx, actor, 'connection.created', id, null, view);
    return view;
  }).catch(nameTaken);
}

/** A unique violation on the name, as the caller should read it; anything else goes on. */
export function nameTaken(error: unknown): never {
  if (!constraintViolated(error, 'connections_workspace_id_name_key')) throw error;
  throw new Refusal('conflict', 'A connection of this name exists already.', [{ field: 'name', message: 'is taken' }]);
}

interface Target {
  provider: string;
  baseUrl: string;
  wire: Wire;
}

function sandboxTarget(input: ConnectionCreate): Target {
  for (const field of ['base_url', 'api_key'] as const) {
    if (input[field] != null) throw wrong(field, 'the sandbox has none: leave it out');
  }
  if (input.provider !== undefined && input.provider !== 'sandbox') throw wrong('provider', 'must be "sandbox" for a sandbox connection');
  if (input.wire !== undefined && input.wire !== 'openai') throw wrong('wire', 'must be "openai" for a sandbox connection');
  return { provider: 'sandbox', baseUrl: '', wire: 'openai' };
}

function httpTarget(tenancy: Tenancy, input: ConnectionCreate): Target {
  const preset = input.provider === undefined ? null : presetOf(input.provider);
  const text = input.base_url ?? preset?.baseUrl ?? null;
  if (text === null) throw wrong('base_url', 'is required unless a preset fills it in');
  const { baseUrl, origin } = checkedBaseUrl(text, tenancy.guardRules());
  const provider = input.provider ?? providerAt(origin, input.wire ?? null);
  return { baseUrl, provider, wire: wireOf(provider, input.wire) };
}

function wrong(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}

async function requireRoom(tx: Tx): Promise<void> {
  const [row] = await tx.select({ n: sql<number>`count(*)::int` }).from(connections);
  if ((row?.n ?? 0) >= MAX_CONNECTIONS) throw new Refusal('conflict', `A workspace may have ${MAX_CONNECTIONS} connections. Remove one first.`);
}
