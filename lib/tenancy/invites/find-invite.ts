import { sql } from 'drizzle-orm';
import type { Client } from '../sessions';
import type { Tenancy } from '../tenancy';
import { hashToken, isWellFormedToken } from '../token';
import { countAttempt, forgiveNetwork, networkPrefix } from '../users/attempts';
import { unusable } from './rows';

/**
 * Which workspace a link leads into; whether it can be used is asked there. Junk does not get as far as the database,
 * and guesses are counted per network, like those at sign-in. Refuses `not_found`, `rate_limited`.
 */
export async function findInvite(tenancy: Tenancy, token: string, client: Client): Promise<{ workspaceId: string; tokenHash: string }> {
  if (!isWellFormedToken(token, 'in')) throw unusable();
  const network = networkPrefix(client.address);
  await countAttempt(tenancy, 'invite network', network);
  const tokenHash = hashToken(token);
  const [row] = await tenancy.db.unscoped((queries) => queries.execute<{ workspace_id: string }>(sql`select workspace_id from ohm_invite(${tokenHash})`));
  if (row === undefined) throw unusable();
  await forgiveNetwork(tenancy, 'invite network', network);
  return { workspaceId: row.workspace_id, tokenHash };
}
