import type { Role } from '@/lib/tenancy/actor';

/** What each role may do, in a line. The members page has the whole table. */
export const ROLE_WORDS: Record<Role, string> = {
  viewer: 'viewer: reads',
  developer: 'developer: also issues and revokes keys and edits alerts',
  admin: 'admin: also edits connections and routes, and invites people',
  owner: 'owner: everything',
};
