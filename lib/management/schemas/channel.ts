import * as z from 'zod';
import { id, label, nullableTimestamp, NOT_PLAIN, PLAIN_TEXT, revision, timestamp } from './field';

const MAX_OVERLAP_S = 30 * 24 * 3600;

const email = z.email('must be an e-mail address').max(254, 'must have at most 254 characters').meta({ description: 'One address. Mail goes out by the operator’s server (`OHM_SMTP_URL`); without one it is kept in the delivery log.' });
const url = z.string({ error: 'must be a string' }).min(1, 'must not be empty').max(2048, 'must have at most 2,048 characters').regex(PLAIN_TEXT, NOT_PLAIN).meta({
  description: 'https on a public address, unless the operator opened others; no user name and no fragment. Redirects are not followed. Saving contacts nobody.',
});

export const channelCreate = z
  .discriminatedUnion('type', [z.strictObject({ type: z.literal('email'), name: label, email }), z.strictObject({ type: z.literal('webhook'), name: label, url })], { error: 'must be "email" or "webhook"' })
  .meta({ description: 'Where alerts are told.', examples: [{ type: 'webhook', name: 'ops', url: 'https://hooks.example.com/ohm' }] });

export const channelUpdate = z
  .strictObject({ name: label.optional(), email: email.optional(), url: url.optional(), enabled: z.boolean('must be true or false').optional() })
  .refine((body) => Object.keys(body).length > 0, 'must change something')
  .meta({ description: 'Members that are left out stay.', examples: [{ enabled: true }] });

export const channelRotate = z
  .strictObject({
    overlap_s: z.int('must be a whole number of seconds').min(0, 'must be at least 0').max(MAX_OVERLAP_S, 'must be at most 2,592,000 s (30 days)').default(86_400).meta({ description: 'How long messages carry the old secret’s signature as well, s.' }),
  })
  .meta({ description: 'A new secret for a webhook.', examples: [{ overlap_s: 86_400 }] });

const view = {
  id,
  name: z.string(),
  type: z.enum(['email', 'webhook']),
  email: z.string().nullable(),
  url: z.string().nullable(),
  enabled: z.boolean(),
  disabled_why: z.enum(['person', 'gone', 'failing']).nullable().meta({ description: '`gone`: the receiver answered 410. `failing`: nothing got through for a whole schedule of tries, some 28 hours.' }),
  previous_secret_valid_until: nullableTimestamp,
  used_by: z.array(z.string()).meta({ description: 'Names of the alerts that tell it.' }),
  revision,
  created_at: timestamp,
  updated_at: timestamp,
};

export const channel = z.strictObject(view).meta({ description: 'Where alerts are told. A webhook’s secret is never shown again.' });

export const issuedChannel = z
  .strictObject({
    ...view,
    secret: z.string().nullable().meta({ description: 'Signs the messages, as Standard Webhooks describes. Shown in this answer only; null for e-mail.', examples: ['whsec_…'] }),
  })
  .meta({ description: 'A channel with its secret: the only time that it is shown.' });

export const channelList = z.strictObject({ data: z.array(channel), next_cursor: z.null() }).meta({ description: 'Every channel of the workspace, by name.' });

export type ChannelCreate = z.output<typeof channelCreate>;
export type ChannelUpdate = z.output<typeof channelUpdate>;
export type ChannelRotate = z.output<typeof channelRotate>;
export type ChannelView = z.output<typeof channel>;
export type IssuedChannel = z.output<typeof issuedChannel>;
