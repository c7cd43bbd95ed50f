import { and, eq } from 'drizzle-orm';
import { withWorkspace } from '../../db';
import { connectionPrices } from '../../db/schema';
import type { Actor } from '../actor';
import { audit } from '../audit';
import { requireRole } from '../require-role';
import type { Tenancy } from '../tenancy';
import { priceViewById } from './rows';

/** Takes a price back: the one before it holds again, or the list price. Refuses `not_found`. */
export async function deletePrice(tenancy: Tenancy, actor: Actor, input: { id: string }): Promise<void> {
  requireRole(actor, 'admin');
  await withWorkspace(tenancy.db, actor.workspaceId, async (tx) => {
    const before = await priceViewById(tx, actor.workspaceId, input.id);
    await tx.delete(connectionPrices).where(and(eq(connectionPrices.workspaceId, actor.workspaceId), eq(connectionPrices.id, input.id)));
    await audit(tx, actor, 'price.deleted', input.id, before, null);
  });
}
