import type { managementKeys } from '../../db/schema';
import type { ManagementKeyView } from '../../management/schemas';

export type ManagementKeyRow = typeof managementKeys.$inferSelect;

export function managementKeyView(row: ManagementKeyRow): ManagementKeyView {
  return {
    id: row.id,
    name: row.name,
    masked: `ohm_mk_…${row.last4}`,
    role: row.role,
    expires_at: row.expiresAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}
