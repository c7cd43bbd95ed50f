import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { keys } from '../../db/schema';
import type { KeyUpdate, KeyView } from '../../management/schemas';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { forgetTexts, shortenTexts } from '../kept-texts';
import { forgetShared, replayColumns, sharesNoMore } from '../replay';
import { requireRole } from '../require-role';
import { requireRevision } from '../revision';
import type { Tenancy } from '../tenancy';
import { keptLimits } from '../kept-limits';
import { expiry, keyNameTaken, keyRow, keyViewById, keyViews, requireStrictTarget, routeIdOf, writeKeyTiers } from './rows';
import { savingColumns } from './saving-columns';

/** Edits, disables or enables a key. Refuses `invalid`, `not_found`, `stale`, `conflict` (name taken). */
export async function updateKey(
  tenancy: Tenancy,
  actor: Actor,
  input: { id: string; revision: number; change: KeyUpdate },
): Promise<KeyView> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const { id, change } = input;
  const nowMs = tenancy.clock.now();
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const old = await keyRow(tx, workspaceId, id, true);
    requireRevision(old.revision, input.revision);
    const [before] = await keyViews(tx, workspaceId, [old], nowMs);
    const next = {
      name: change.name ?? old.name,
      defaultRouteId: change.default_route === undefined ? old.defaultRouteId : await routeIdOf(tx, workspaceId, change.default_route),
      directModels: change.direct_models ?? old.directModels,
      strictRoute: change.strict_route ?? old.strictRoute,
      expiresAt: change.expires_at === undefined ? old.expiresAt : expiry(change.expires_at, nowMs),
      ...replayColumns(change.replay, old),
      ...savingColumns(change, old),
      limits: change.limits === undefined ? old.limits : keptLimits(change.limits),
      disabledAt: change.disabled === undefined ? old.disabledAt : change.disabled ? (old.disabledAt ?? new Date(nowMs)) : null,
      revision: old.revision + 1,
      updatedAt: new Date(nowMs),
    };
    requireStrictTarget(next, (change.tiers === undefined ? before?.tiers : change.tiers)?.length ?? 0);
    await tx.update(keys).set(next).where(and(eq(keys.workspaceId, workspaceId), eq(keys.id, id)));
    if (sharesNoMore(old, next)) await forgetShared(tx, workspaceId);
    if (next.keepTextsDays !== old.keepTextsDays) await (next.keepTextsDays === null ? forgetTexts(tx, workspaceId, id) : shortenTexts(tx, workspaceId, id, next.keepTextsDays));
    if (change.tiers !== undefined) await writeKeyTiers(tx, workspaceId, id, change.tiers);
    const view = await keyViewById(tx, workspaceId, id, nowMs);
    await audit(tx, actor, actionOf(change), id, before, view);
    return view;
  }).catch(keyNameTaken);
}

function actionOf(change: KeyUpdate): string {
  const others = Object.keys(change).filter((member) => member !== 'disabled');
  if (change.disabled === undefined || others.length > 0) return 'key.updated';
  return change.disabled ? 'key.disabled' : 'key.enabled';
}
