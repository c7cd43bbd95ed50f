import * as z from 'zod';
import { ROLES } from '../../tenancy/actor';
import { id, NOT_PLAIN, PLAIN_TEXT, revision, timestamp } from './field';

const role = z.enum(ROLES, { error: 'must be "viewer", "developer", "admin" or "owner"' });

export const inviteCreate = z
  .strictObject({
    email: z
      .string({ error: 'must be a string' })
      .trim()
      .min(1, 'must not be empty')
      .max(254, 'must have at most 254 characters')
      .regex(PLAIN_TEXT, NOT_PLAIN)
      .meta({ description: 'Address of the person. Upper and lower case are the same.', format: 'email' }),
    role: role.meta({ description: 'What they are to be; at most what the inviter is.' }),
  })
  .meta({ description: 'An address to invite, and as what.', examples: [{ email: 'ann@example.com', role: 'developer' }] });

export const inviteUpdate = z.strictObject({ role }).meta({ description: 'What the person is to be instead. The link stays as it is.', examples: [{ role: 'viewer' }] });

const view = {
  id,
  email: z.string(),
  role: z.enum(ROLES),
  state: z.enum(['pending', 'expired']).meta({ description: 'An accepted or revoked invitation is gone from here; the audit log has it.' }),
  invited_by: z.string().meta({ description: 'Who sent it last, e.g. `user:<id>` or `management_key:<id>`.' }),
  expires_at: timestamp,
  revision,
  created_at: timestamp,
};

export const invite = z.strictObject(view).meta({ description: 'An invitation that nobody has accepted. Its link is never shown again.' });

export const issuedInvite = z
  .strictObject({
    ...view,
    mail: z.enum(['sent', 'failed', 'not_configured']).meta({ description: '`failed`: the invitation stands; invite the address again to send it again. `not_configured`: the operator has no mail server.' }),
    mail_error: z.string().nullable().meta({ description: 'Why the mail failed; null otherwise.' }),
    link: z
      .string()
      .nullable()
      .meta({ description: 'Only where there is no mail server, and in this answer only: pass it on to the person. Whoever has it can accept with an account of that address. Null: it went to the address alone.' }),
  })
  .meta({ description: 'An invitation as it was sent.' });

export const inviteList = z.strictObject({ data: z.array(invite), next_cursor: z.null() }).meta({ description: 'Invitations that nobody has accepted, by address: at most 100.' });

export type InviteCreate = z.output<typeof inviteCreate>;
export type InviteUpdate = z.output<typeof inviteUpdate>;
export type InviteView = z.output<typeof invite>;
export type IssuedInvite = z.output<typeof issuedInvite>;
