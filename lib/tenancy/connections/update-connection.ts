import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { connections } from '../../db/schema';
import type { ConnectionUpdate, ConnectionView } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import type { Tenancy } from '../tenancy';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import { checkedBaseUrl } from './base-url';
import { nameTaken } from './create-connection';
import { presetOf, providerAt, wireOf } from './provider';
import { connectionRow, connectionView, routesUsing, type ConnectionRow } from './rows';
import { sealedKey } from './sealed-key';

/**
 * Edits a connection. Its key belongs to the origin of its base URL: another scheme, host or port asks for the
 * key again, so that nobody who may edit can have a stored key sent to an address of theirs.
 * Refuses `invalid`, `not_found`, `stale`, `conflict` (name taken).
 */
export async function updateConnection(
  tenancy: Tenancy,
  actor: Actor,
  input: { id: string; revision: number; change: ConnectionUpdate },
): Promise<ConnectionView> {
  requireRole(actor, 'admin');
  const { id, change } = input;
  return await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const old = await connectionRow(tx, actor.workspaceId, id, true);
    requireRevision(old.revision, input.revision);
    const using = (await routesUsing(tx, actor.workspaceId, [id])).get(id) ?? [];
    await tx
      .update(connections)
      .set({
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(old.kind === 'sandbox' ? sandboxChange(change) : httpChange(tenancy, old, change)),
        revision: old.revision + 1,
        updatedAt: new Date(tenancy.clock.now()),
      })
      .where(and(eq(connections.workspaceId, actor.workspaceId), eq(connections.id, id)));
    const view = connectionView(await connectionRow(tx, actor.workspaceId, id, false), using);
    await audit(tx, actor, 'connection.updated', id, connectionView(old, using), view);
    return view;
  }).catch(nameTaken);
}

function sandboxChange(change: ConnectionUpdate): Partial<ConnectionRow> {
  for (const field of ['base_url', 'api_key', 'provider', 'wire'] as const) {
    if (change[field] != null) throw wrong(field, 'cannot be set on the sandbox: make a connection of its own');
  }
  return {};
}

function httpChange(tenancy: Tenancy, old: ConnectionRow, change: ConnectionUpdate): Partial<ConnectionRow> {
  const preset = change.provider === undefined ? null : presetOf(change.provider);
  const text = change.base_url ?? preset?.baseUrl ?? old.baseUrl;
  const moved = text === old.baseUrl ? null : checkedBaseUrl(text, tenancy.guardRules());
  const newOrigin = moved !== null && moved.origin !== new URL(old.baseUrl).origin;
  if (newOrigin && old.apiKeySealed !== null && change.api_key === undefined) {
    throw wrong('api_key', 'is needed again, because base_url has another origin: the stored key stays with the origin that it was given for (null for none)');
  }
  const provider = change.provider ?? (newOrigin ? providerAt(moved.origin, change.wire ?? old.wire) : old.provider);
  return {
    provider,
    wire: wireOf(provider, change.wire ?? (change.provider === undefined ? old.wire : undefined)),
    ...(moved === null ? {} : { baseUrl: moved.baseUrl }),
    ...(change.api_key === undefined ? {} : replacedKey(tenancy, old, change.api_key)),
  };
}

function replacedKey(tenancy: Tenancy, old: ConnectionRow, apiKey: string | null): Partial<ConnectionRow> {
  const keyVersion = old.keyVersion + 1;
  return { keyVersion, ...sealedKey(tenancy, { workspaceId: old.workspaceId, id: old.id, keyVersion }, apiKey) };
}

function wrong(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}
