import * as z from 'zod';
import { ROLES } from '../../tenancy/actor';
import { id, label, moment, nullableTimestamp, timestamp } from './field';

export const managementKeyCreate = z
  .strictObject({
    name: label,
    role: z
      .enum(ROLES, { error: 'must be "viewer", "developer", "admin" or "owner"' })
      .default('admin')
      .meta({ description: 'What it may do; at most what its maker may.' }),
    expires_at: moment.nullable().default(null).meta({ description: 'When it stops to work; null for never.' }),
  })
  .meta({ description: 'A key for this API.', examples: [{ name: 'terraform', role: 'admin' }] });

const view = {
  id,
  name: z.string(),
  masked: z.string().meta({ examples: ['ohm_mk_…a1b2'] }),
  role: z.enum(ROLES),
  expires_at: nullableTimestamp,
  last_used_at: nullableTimestamp,
  created_at: timestamp,
};

export const managementKey = z.strictObject(view).meta({ description: 'A key for this API. Its token is never shown again.' });

export const issuedManagementKey = z
  .strictObject({ ...view, key: z.string().meta({ description: 'The token. Shown in this answer only.', examples: ['ohm_mk_…'] }) })
  .meta({ description: 'A management key with its token: the only time that it is shown.' });

export type ManagementKeyCreate = z.output<typeof managementKeyCreate>;
export type ManagementKeyView = z.output<typeof managementKey>;
export type IssuedManagementKey = z.output<typeof issuedManagementKey>;
