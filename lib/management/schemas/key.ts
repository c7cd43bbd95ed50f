import * as z from 'zod';
import { id, label, moment, nullableTimestamp, reference, revision, timestamp } from './field';
import { keepTextsInput, keepTextsView } from './kept-texts';
import { limits, limitsInput } from './limits';
import { replayInput, replayView } from './replay';
import { holdoutInput, holdoutView, saversInput, saversView } from './savers';
import { tierList, tierView } from './tier';

export const KEY_STATES = ['active', 'disabled', 'expired'] as const;

const flag = (description: string) => z.boolean({ error: 'must be true or false' }).meta({ description });

const members = {
  default_route: reference('route').nullable().meta({ description: 'Route that `auto` means, by name or id; null for none.' }),
  strict_route: flag('Every model name walks the key’s own tiers, or its default route when it has none.'),
  direct_models: flag('`<connection>/<model>` may be named: one tier, no fallback.'),
  tiers: tierList.nullable().meta({ description: 'A private route that the key carries itself; null or empty for none. With `strict_route` every name walks it.' }),
  expires_at: moment.nullable().meta({ description: 'When it stops to work; null for never.' }),
};

export const keyCreate = z
  .strictObject({
    name: label,
    default_route: members.default_route.default(null),
    strict_route: members.strict_route.default(false),
    direct_models: members.direct_models.default(false),
    tiers: members.tiers.default(null),
    expires_at: members.expires_at.default(null),
    limits: limitsInput.nullish(),
    replay: replayInput,
    savers: saversInput,
    holdout: holdoutInput,
    keep_texts: keepTextsInput,
  })
  .meta({ description: 'A key for the gateway.', examples: [{ name: 'ci', default_route: 'chat' }] });

export const keyUpdate = z
  .strictObject({
    name: label.optional(),
    default_route: members.default_route.optional(),
    strict_route: members.strict_route.optional(),
    direct_models: members.direct_models.optional(),
    tiers: members.tiers.optional(),
    expires_at: members.expires_at.optional(),
    limits: limitsInput.nullish(),
    replay: replayInput,
    disabled: flag('A disabled key is refused like an unknown one, until it is enabled again.').optional(),
    savers: saversInput,
    holdout: holdoutInput,
    keep_texts: keepTextsInput,
  })
  .refine((body) => Object.keys(body).length > 0, 'must change something')
  .meta({ description: 'Members that are left out stay.', examples: [{ disabled: true }] });

export const MAX_OVERLAP_S = 30 * 24 * 3600;

export const keyRotate = z
  .strictObject({
    overlap_s: z
      .int('must be a whole number of seconds')
      .min(0, 'must be at least 0')
      .max(MAX_OVERLAP_S, 'must be at most 2,592,000 s (30 days)')
      .default(0)
      .meta({ description: 'How long the old token goes on working, s. 0 ends it now.' }),
  })
  .meta({ description: 'A new token for the same key.', examples: [{ overlap_s: 3600 }] });

const view = {
  id,
  name: z.string(),
  masked: z.string().meta({ description: 'The token, all but its end hidden.', examples: ['ohm_sk_…a1b2'] }),
  state: z.enum(KEY_STATES),
  default_route: z.string().nullable().meta({ description: 'Name of the route that `auto` means.' }),
  strict_route: z.boolean(),
  direct_models: z.boolean(),
  tiers: z.array(tierView).nullable(),
  expires_at: nullableTimestamp,
  disabled: z.boolean(),
  last_used_at: nullableTimestamp,
  previous_token_valid_until: nullableTimestamp.meta({ description: 'Until then the token before the last rotation works too; null when it does not.' }),
  replay: replayView,
  savers: saversView,
  holdout: holdoutView,
  keep_texts: keepTextsView,
  limits,
  revision,
  created_at: timestamp,
  updated_at: timestamp,
};

export const key = z.strictObject(view).meta({ description: 'A key for the gateway. Its token is never shown again.' });

export const issuedKey = z
  .strictObject({
    ...view,
    key: z.string().meta({ description: 'The token. Shown in this answer only.', examples: ['ohm_sk_…'] }),
  })
  .meta({ description: 'A key with its new token: the only time that it is shown.' });

export type KeyCreate = z.output<typeof keyCreate>;
export type KeyUpdate = z.output<typeof keyUpdate>;
export type KeyRotate = z.output<typeof keyRotate>;
export type KeyView = z.output<typeof key>;
export type IssuedKey = z.output<typeof issuedKey>;
export type KeyState = (typeof KEY_STATES)[number];
