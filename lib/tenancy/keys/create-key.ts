import { isNull, sql } from 'drizzle-orm';
import { withWorkspace, type Tx } from '../../db';
import { keys } from '../../db/schema';
import type { IssuedKey, KeyCreate } from '../../management/schemas';
import { newId, Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { replayColumns } from '../replay';
import { actorName, requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { issueToken } from '../token';
import { keptLimits } from '../kept-limits';
import { expiry, keyNameTaken, keyViewById, MAX_KEYS, requireStrictTarget, routeIdOf, withToken, writeKeyTiers } from './rows';
import { savingColumns } from './saving-columns';

/** Issues a key: the answer holds its token, which is shown nowhere else. Refuses `invalid`, `conflict`. */
export async function createKey(tenancy: Tenancy, actor: Actor, input: KeyCreate): Promise<IssuedKey> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const nowMs = tenancy.clock.now();
  const id = newId('key');
  const { token, hash, last4 } = issueToken('sk');
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    await requireRoom(tx);
    const defaultRouteId = await routeIdOf(tx, workspaceId, input.default_route);
    requireStrictTarget({ strictRoute: input.strict_route, defaultRouteId }, input.tiers?.length ?? 0);
    await tx.insert(keys).values({
      id,
      workspaceId,
      name: input.name,
      tokenHash: hash,
      last4,
      defaultRouteId,
      directModels: input.direct_models,
      strictRoute: input.strict_route,
      expiresAt: expiry(input.expires_at, nowMs),
      limits: keptLimits(input.limits),
      ...replayColumns(input.replay),
      ...savingColumns(input),
      createdBy: actorName(actor),
    });
    await writeKeyTiers(tx, workspaceId, id, input.tiers);
    const view = await keyViewById(tx, workspaceId, id, nowMs);
    await audit(tx, actor, 'key.created', id, null, view);
    return withToken(view, token);
  }).catch(keyNameTaken);
}

async function requireRoom(tx: Tx): Promise<void> {
  const [row] = await tx.select({ n: sql<number>`count(*)::int` }).from(keys).where(isNull(keys.revokedAt));
  if ((row?.n ?? 0) >= MAX_KEYS) throw new Refusal('conflict', `A workspace may have ${MAX_KEYS} keys. Revoke one first.`);
}
