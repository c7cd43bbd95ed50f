import { eq } from 'drizzle-orm';
import type { Tx } from '../../db';
import { workspaces } from '../../db/schema';
import { type Limits, readLimits } from '../../limits';
import { keyRow } from './rows';

export interface LimitScope {
  scope: 'key' | 'workspace';
  /** Key id or workspace id. */
  id: string;
  limits: Limits;
}

/** What limits the calls of a key: its own limits, then the workspace's; without a key only the latter. Throws Refusal('not_found'). */
export async function limitScopes(tx: Tx, workspaceId: string, keyId: string | null): Promise<LimitScope[]> {
  const key = keyId === null ? null : await keyRow(tx, workspaceId, keyId, false);
  const [workspace] = await tx.select({ limits: workspaces.limits }).from(workspaces).where(eq(workspaces.id, workspaceId));
  const scopes: LimitScope[] = [];
  const own = readLimits(key?.limits ?? null);
  if (key !== null && own !== null) scopes.push({ scope: 'key', id: key.id, limits: own });
  const whole = readLimits(workspace?.limits ?? null);
  if (whole !== null) scopes.push({ scope: 'workspace', id: workspaceId, limits: whole });
  return scopes;
}
