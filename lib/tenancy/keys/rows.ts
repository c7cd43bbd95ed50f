import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { constraintViolated, type Tx } from '../../db';
import { connections, keys, keyTiers, routes } from '../../db/schema';
import type { IssuedKey, KeyView, TierInput, TierView } from '../../management/schemas';
import { Refusal } from '../../std';
import { replayViewOf } from '../replay';
import { resolveTiers } from '../resolve-tiers';
import { holdoutOf } from './saving-columns';
import { tierViews } from '../tier-rows';

export type KeyRow = typeof keys.$inferSelect;

export const MAX_KEYS = 10_000;

/** The key, locked until the transaction ends when it is about to change. A revoked one is gone: Refusal('not_found'). */
export async function keyRow(tx: Tx, workspaceId: string, id: string, lock: boolean): Promise<KeyRow> {
  const query = tx
    .select()
    .from(keys)
    .where(and(eq(keys.workspaceId, workspaceId), eq(keys.id, id), isNull(keys.revokedAt)));
  const [row] = await (lock ? query.for('update') : query);
  if (row === undefined) throw new Refusal('not_found', 'There is no such key in this workspace.');
  return row;
}

/** Keys as the API shows them, in the order of the rows. */
export async function keyViews(tx: Tx, workspaceId: string, rows: KeyRow[], nowMs: number): Promise<KeyView[]> {
  const routeNames = await namesOfRoutes(tx, workspaceId, rows);
  const tiers = await tiersOf(tx, workspaceId, rows.map((row) => row.id));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    masked: masked(row.last4),
    state: stateOf(row, nowMs),
    default_route: routeNames.get(row.defaultRouteId ?? '') ?? null,
    strict_route: row.strictRoute,
    direct_models: row.directModels,
    tiers: tiers.get(row.id) ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
    disabled: row.disabledAt !== null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    previous_token_valid_until:
      row.previousValidUntil !== null && row.previousValidUntil.getTime() > nowMs ? row.previousValidUntil.toISOString() : null,
    replay: replayViewOf(row),
    savers: row.savers,
    holdout: { percent: holdoutOf(row.savers, row.holdoutPercent) },
    keep_texts: row.keepTextsDays === null ? null : { days: row.keepTextsDays },
    limits: row.limits ?? {},
    revision: row.revision,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  }));
}

export async function keyViewById(tx: Tx, workspaceId: string, id: string, nowMs: number): Promise<KeyView> {
  const [view] = await keyViews(tx, workspaceId, [await keyRow(tx, workspaceId, id, false)], nowMs);
  return view!;
}

/** The view and the token, which is nowhere else from here on. */
export const withToken = (view: KeyView, token: string): IssuedKey => ({ ...view, key: token });

/** Id of the route that a name or id means. Throws Refusal('invalid') on `default_route`. */
export async function routeIdOf(tx: Tx, workspaceId: string, reference: string | null): Promise<string | null> {
  if (reference === null) return null;
  const found = await tx
    .select({ id: routes.id })
    .from(routes)
    .where(and(eq(routes.workspaceId, workspaceId), sql`(${routes.id} = ${reference} or ${routes.name} = ${reference})`))
    .orderBy(sql`(${routes.id} = ${reference}) desc`)
    .limit(1);
  if (found[0] !== undefined) return found[0].id;
  throw new Refusal('invalid', `default_route: there is no route "${reference}" in this workspace.`, [
    { field: 'default_route', message: `there is no route "${reference}" in this workspace` },
  ]);
}

/** Puts a private route in place of the one that the key has; null or empty for none. */
export async function writeKeyTiers(tx: Tx, workspaceId: string, keyId: string, tiers: TierInput[] | null): Promise<void> {
  await tx.delete(keyTiers).where(and(eq(keyTiers.workspaceId, workspaceId), eq(keyTiers.keyId, keyId)));
  if (tiers === null || tiers.length === 0) return;
  const rows = await resolveTiers(tx, workspaceId, tiers);
  await tx.insert(keyTiers).values(rows.map((row) => ({ ...row, keyId })));
}

/** A strict key must have something to walk. */
export function requireStrictTarget(key: { strictRoute: boolean; defaultRouteId: string | null }, tiers: number): void {
  if (!key.strictRoute || key.defaultRouteId !== null || tiers > 0) return;
  throw new Refusal('invalid', 'strict_route: needs a default_route or tiers, or the key could call nothing.', [
    { field: 'strict_route', message: 'needs a default_route or tiers' },
  ]);
}

/** Throws Refusal('invalid') for a moment that has passed. */
export function expiry(text: string | null, nowMs: number): Date | null {
  if (text === null) return null;
  const at = new Date(text);
  if (!Number.isNaN(at.getTime()) && at.getTime() > nowMs && at.getUTCFullYear() < 10_000) return at;
  throw new Refusal('invalid', 'expires_at: must be in the future.', [{ field: 'expires_at', message: 'must be in the future' }]);
}

/** A unique violation on the name, as the caller should read it; anything else goes on. */
export function keyNameTaken(error: unknown): never {
  if (!constraintViolated(error, 'keys_workspace_id_name_key')) throw error;
  throw new Refusal('conflict', 'A key of this name exists already.', [{ field: 'name', message: 'is taken' }]);
}

const masked = (last4: string): string => `ohm_sk_…${last4}`;

function stateOf(row: KeyRow, nowMs: number): KeyView['state'] {
  if (row.disabledAt !== null) return 'disabled';
  return row.expiresAt !== null && row.expiresAt.getTime() <= nowMs ? 'expired' : 'active';
}

async function namesOfRoutes(tx: Tx, workspaceId: string, rows: KeyRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap((row) => row.defaultRouteId ?? []))];
  if (ids.length === 0) return new Map();
  const found = await tx
    .select({ id: routes.id, name: routes.name })
    .from(routes)
    .where(and(eq(routes.workspaceId, workspaceId), inArray(routes.id, ids)));
  return new Map(found.map(({ id, name }) => [id, name]));
}

async function tiersOf(tx: Tx, workspaceId: string, keyIds: string[]): Promise<Map<string, TierView[]>> {
  if (keyIds.length === 0) return new Map();
  const rows = await tx
    .select({ tier: keyTiers, connection: connections.name })
    .from(keyTiers)
    .innerJoin(connections, eq(connections.id, keyTiers.connectionId))
    .where(and(eq(keyTiers.workspaceId, workspaceId), inArray(keyTiers.keyId, keyIds)))
    .orderBy(asc(keyTiers.keyId), asc(keyTiers.position), asc(keyTiers.candidate));
  const carrying = [...new Set(rows.map(({ tier }) => tier.keyId))];
  return new Map(carrying.map((id) => [id, tierViews(rows.filter(({ tier }) => tier.keyId === id))]));
}
