import * as z from 'zod';
import { ROLES } from '../../tenancy/actor';
import { revision, timestamp } from './field';

export const member = z
  .strictObject({ user_id: z.string(), email: z.string(), role: z.enum(ROLES), revision, created_at: timestamp })
  .meta({ description: 'A person in this workspace.' });

export const memberList = z
  .strictObject({ data: z.array(member), next_cursor: z.null() })
  .meta({ description: 'Everybody in the workspace, oldest membership first.' });

export const memberUpdate = z
  .strictObject({ role: z.enum(ROLES, { error: 'must be "viewer", "developer", "admin" or "owner"' }).meta({ description: 'At most what whoever changes it is.' }) })
  .meta({ description: 'Another role for a member.', examples: [{ role: 'developer' }] });

export const memberRemoval = z.strictObject({
  keys: z
    .enum(['keep', 'disable'], { error: 'must be "keep" or "disable"' })
    .default('keep')
    .meta({ description: '`disable`: the gateway keys that they made are disabled and their management keys revoked. For admins.' }),
});

export type MemberView = z.output<typeof member>;
export type MemberUpdate = z.output<typeof memberUpdate>;
