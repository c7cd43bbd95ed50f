import { withWorkspace } from '../../db';
import type { TextsPurge, TextsPurged } from '../../management/schemas';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { keyId } from '../keys/key-id';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { forgetTexts } from './forget-texts';

/** Deletes the kept texts of a key or of the whole workspace. The setting stays as it is. Refuses `invalid`. */
export async function purgeTexts(tenancy: Tenancy, actor: Actor, input: TextsPurge): Promise<TextsPurged> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  const key = input.key === undefined ? null : await keyId(tenancy, actor, input.key);
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const calls = await forgetTexts(tx, workspaceId, key);
    const result: TextsPurged = { scope: key === null ? 'workspace' : 'key', id: key ?? workspaceId, calls, purged_at: new Date(tenancy.clock.now()).toISOString() };
    await audit(tx, actor, 'texts.purged', result.id, null, result);
    return result;
  });
}
