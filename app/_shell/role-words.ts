import type { Role } from '@/lib/tenancy/actor';

/** What each role may do, in a line. The members page has the whole table. */
export const ROLE_WORDS: Record<Role, string> = {
  viewer: 'viewer: reads',
  developer: 'developer: also issues keys',
  admin: 'admin: all but making owners',
  owner: 'owner: everything',
};
