import { sql } from 'drizzle-orm';
import type { Role } from '../actor';
import type { Tenancy } from '../tenancy';

export interface Membership {
  workspace: { id: string; slug: string; name: string };
  role: Role;
}

/** The workspaces of a person, the oldest membership first. No workspace is known yet, hence the definer function. */
export async function listMemberships(tenancy: Tenancy, userId: string): Promise<Membership[]> {
  const rows = await tenancy.db.unscoped((queries) =>
    queries.execute<{ workspace_id: string; slug: string; name: string; role: Role }>(sql`select workspace_id, slug, name, role from ohm_memberships(${userId})`),
  );
  return rows.map(({ workspace_id: id, slug, name, role }) => ({ workspace: { id, slug, name }, role }));
}
