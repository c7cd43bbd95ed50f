import { eq } from 'drizzle-orm';
import type { Tx } from '../../db';
import { connections, routes } from '../../db/schema';
import { catalogModel } from '../../providers/catalog';
import { servingConnections } from '../../routing';
import { Refusal } from '../../std';

/**
 * Refuses a fallback model that no key of this workspace could be routed to, by the rules by which a call's model is
 * resolved (lib/routing). What it means still depends on the key that calls: `auto` is each one's own, and direct
 * models are for those that allow them. Of `<connection>/<model>` only the connection is known here.
 */
export async function requireResolvable(tx: Tx, workspaceId: string, name: string): Promise<void> {
  if (name === 'auto' || name === 'eco') return;
  const named = await tx.select({ name: routes.name }).from(routes).where(eq(routes.workspaceId, workspaceId));
  if (named.some((route) => route.name === name)) return;
  const reached = await tx.select({ id: connections.id, name: connections.name, provider: connections.provider }).from(connections).where(eq(connections.workspaceId, workspaceId));
  const slash = name.indexOf('/');
  if (slash > 0 && slash < name.length - 1 && reached.some((connection) => connection.name === name.slice(0, slash))) return;
  const known = catalogModel(name);
  if (known && servingConnections(reached).has(known.entry.vendor)) return;
  throw new Refusal('invalid', `fallback_model: ${NOTHING}.`, [{ field: 'fallback_model', message: NOTHING }]);
}

const NOTHING = 'names nothing here: it must be the name of a route, "auto", "eco", "<connection>/<model>" with a connection of this workspace, or a catalog model that one of them serves';
