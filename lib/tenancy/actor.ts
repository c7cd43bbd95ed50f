/** What a member may do grows from left to right. */
export const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Who acts, in which workspace. Every tenancy verb takes one first. */
export interface Actor {
  kind: 'user' | 'management_key' | 'system';
  /** User id, management key id, or `system`. */
  id: string;
  workspaceId: string;
  role: Role;
}
