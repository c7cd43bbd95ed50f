import { and, eq, or } from 'drizzle-orm';
import { type Tx, withWorkspace } from '../../db';
import { keys } from '../../db/schema';
import type { TextsPurge, TextsPurged } from '../../management/schemas';
import { Refusal } from '../../std';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { forgetTexts } from './forget-texts';

/** Deletes the kept texts of a key or of the whole workspace. The setting stays as it is. Refuses `invalid`. */
export async function purgeTexts(tenancy: Tenancy, actor: Actor, input: TextsPurge): Promise<TextsPurged> {
  requireRole(actor, 'developer');
  const { workspaceId } = actor;
  return await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const keyId = input.key === undefined ? null : await keyIdOf(tx, workspaceId, input.key);
    const calls = await forgetTexts(tx, workspaceId, keyId);
    const result: TextsPurged = { scope: keyId === null ? 'workspace' : 'key', id: keyId ?? workspaceId, calls, purged_at: new Date(tenancy.clock.now()).toISOString() };
    await audit(tx, actor, 'texts.purged', result.id, null, result);
    return result;
  });
}

async function keyIdOf(tx: Tx, workspaceId: string, reference: string): Promise<string> {
  const [row] = await tx.select({ id: keys.id }).from(keys).where(and(eq(keys.workspaceId, workspaceId), or(eq(keys.id, reference), eq(keys.name, reference))));
  if (row !== undefined) return row.id;
  throw new Refusal('invalid', `key: there is no key "${reference}" in this workspace.`, [{ field: 'key', message: `there is no key "${reference}" in this workspace` }]);
}
