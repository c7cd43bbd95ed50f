import * as z from 'zod';
import { DIALECTS } from '../../wire';
import { baseUrl, id, resourceName, revision, secret, timestamp } from './field';
import { choice } from './not-yet';

const wire = choice('wire', DIALECTS, ['bedrock']).meta({
  description: 'The protocol that the provider speaks. Left out: the one of the preset, `openai` where there is none.',
  enum: [...DIALECTS],
});

const provider = z
  .string({ error: 'must be a string' })
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'must be the id of a preset, or "custom"')
  .meta({ description: 'Preset id. It fills in `base_url` and is shown as X-Ohm-Provider; `custom` is anything else.', examples: ['openai'] });

export const connectionCreate = z
  .strictObject({
    name: resourceName,
    kind: z
      .enum(['http', 'sandbox'], { error: 'must be "http" or "sandbox"' })
      .default('http')
      .meta({ description: '`sandbox` is the provider inside the product: it takes neither `base_url` nor `api_key`. Fixed for good.' }),
    wire: wire.optional(),
    provider: provider.optional(),
    base_url: baseUrl.nullish(),
    api_key: secret.nullish(),
  })
  .meta({
    description: 'A credential for one provider.',
    examples: [{ name: 'main', wire: 'openai', base_url: 'https://api.openai.com/v1', api_key: 'sk-your-key' }],
  });

export const connectionUpdate = z
  .strictObject({
    name: resourceName.optional(),
    wire: wire.optional(),
    provider: provider.optional(),
    base_url: baseUrl.optional(),
    api_key: secret.nullable().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'must change something')
  .meta({
    description:
      'Members that are left out stay. The key belongs to the origin of its base URL: a new scheme, host or port asks for `api_key` again (null for none).',
    examples: [{ name: 'main-eu' }],
  });

export const connection = z
  .strictObject({
    id,
    name: z.string(),
    kind: z.enum(['http', 'sandbox']),
    wire: z.enum(DIALECTS),
    provider: z.string(),
    base_url: z.string().nullable().meta({ description: 'Null for the sandbox.' }),
    has_api_key: z.boolean(),
    api_key_last4: z.string().nullable().meta({ description: 'The end of the stored key; null when there is none, or when it is too short to show any of it.' }),
    used_by_routes: z.array(z.string()).meta({ description: 'Names of the routes that have it in a tier, sorted.' }),
    revision,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ description: 'A credential for one provider. Its key is never shown.' });

export type ConnectionCreate = z.output<typeof connectionCreate>;
export type ConnectionUpdate = z.output<typeof connectionUpdate>;
export type ConnectionView = z.output<typeof connection>;
