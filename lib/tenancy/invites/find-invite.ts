import { sql } from 'drizzle-orm';
import { type LinkKind, openLink } from '../open-link';
import type { Client } from '../sessions';
import type { Tenancy } from '../tenancy';
import { unusable } from './rows';

const INVITATION: LinkKind = { token: 'in', guesses: 'invite network', unusable };

/** Which workspace a link leads into; whether it can be used is asked there. Refuses `not_found`, `rate_limited`. */
export async function findInvite(tenancy: Tenancy, token: string, client: Client): Promise<{ workspaceId: string; tokenHash: string }> {
  return await openLink(tenancy, INVITATION, token, client, async (tokenHash) => {
    const [row] = await tenancy.db.unscoped((queries) => queries.execute<{ workspace_id: string }>(sql`select workspace_id from ohm_invite(${tokenHash})`));
    return row && { workspaceId: row.workspace_id };
  });
}
