import * as z from 'zod';
import type { CandidateReadiness, Hindrance, Readiness, RouteReadiness, TierReadiness } from '../gateway';

/** Said in the tool's description and in every answer: what this is, and where the other thing is. */
export const NOT_TELEMETRY =
  'Readiness as it is configured and as this process last saw it, not failover telemetry: `ready` says that a call would ask the tier now, not that the tier would answer. ' +
  'Which tier served a call stands in the X-Ohm-* headers of its answer and in GET /api/v1/calls/{id}.';

const REASONS = {
  cooling_down: 'Its last visit failed. It is passed over until `until`, and asked all the same when no other tier is left.',
  probed: 'It is being tried by one call after a failure. It is passed over until that call knows, and asked all the same when no other tier is left.',
  credential_rejected: 'The provider rejected the credential of its connection. It is passed over until the connection is edited or `until` has come, and asked all the same when no other tier is left.',
  budget: 'What is left of the budget of this key or its workspace does not cover a call to it.',
  unpriced: 'A budget applies and its model has no known price, so no call to it can be covered.',
  cannot_represent: 'Its API has no words for a chat request.',
  no_candidate: 'None of its candidates can serve a chat request.',
} satisfies Record<Hindrance['why'], string>;

/** Of candidates alone: the ways to be left out of the comparison. */
const LEFT_OUT = 'left_out';

const reason = z
  .strictObject({
    code: z.enum([...(Object.keys(REASONS) as Hindrance['why'][]), LEFT_OUT]),
    message: z.string(),
    until: z.string().nullable().meta({ description: 'ISO 8601; null where nobody knows.' }),
  })
  .nullable()
  .meta({ description: 'Why it would not be asked now; null when it would.' });

const asked = {
  connection: z.string().nullable().meta({ description: 'Name of the connection; null for keys that may not name connections.' }),
  provider: z.string().meta({ description: 'As X-Ohm-Provider says it.' }),
  model: z.string(),
  ready: z.boolean(),
  reason,
};

const tier = z.strictObject({
  position: z.int().meta({ description: '1-based: tiers are tried in this order.' }),
  kind: z.enum(['model', 'eco']).meta({ description: '`eco`: the cheapest candidate that can serve is asked.' }),
  connection: asked.connection,
  provider: asked.provider.nullable().meta({ description: 'Null for an eco tier: see its candidates.' }),
  model: asked.model.nullable().meta({ description: 'Null for an eco tier: see its candidates.' }),
  ready: asked.ready,
  reason,
  candidates: z.array(z.strictObject(asked)).nullable().meta({ description: 'Of an eco tier, in the order in which they would be asked for a short chat; null for other tiers.' }),
  candidates_not_listed: z.int(),
});

const route = z.strictObject({
  name: z.string().meta({ description: 'As X-Ohm-Route says it, and as `model` names it in a call; `private` is named by `auto`.' }),
  default: z.boolean().meta({ description: '`auto` means it.' }),
  commit: z.enum(['first_content', 'complete']),
  ready: z.boolean().meta({ description: 'A call would find a tier that can be asked now.' }),
  asked_anyway: z.boolean().meta({ description: 'Not ready, but a call would still be tried: tiers that are only passed over are asked when no other is left.' }),
  tiers: z.array(tier),
});

export const providersReport = z.strictObject({
  about: z.string(),
  assumes: z.string(),
  observed_by: z.literal('this process'),
  observed_at: z.string().meta({ description: 'ISO 8601.' }),
  key: z.strictObject({
    name: z.string(),
    state: z.literal('active').meta({ description: 'Keys that are revoked, disabled or expired get an error instead.' }),
    expires_at: z.string().nullable().meta({ description: 'ISO 8601; null for never.' }),
    default_route: z.string().nullable().meta({ description: 'What `auto` means; null where it means nothing.' }),
    strict_route: z.boolean().meta({ description: 'Every model name walks the default route.' }),
    direct_models: z.boolean().meta({ description: '`<connection>/<model>` may be named: one tier, no fallback.' }),
    replay: z.strictObject({ enabled: z.boolean(), ttl_s: z.int().nullable().meta({ description: 'Seconds; null where replay is off.' }) }),
  }),
  routes: z.array(route),
  routes_not_listed: z.int().meta({ description: 'Ask for one of them by name.' }),
});

export type ProvidersReport = z.output<typeof providersReport>;

/** Readiness as agents are told it: nothing that a call with this key does not show. Pure; `now` in ms since the epoch. */
export function reportOf({ caller: { key }, defaultRoute, routes, notListed }: Readiness, now: number): ProvidersReport {
  const told: Told = { now, connections: key.directModels && !key.strictRoute };
  return {
    about: NOT_TELEMETRY,
    assumes: 'A short chat, streamed, without tools. Another request may be beyond a tier that is ready for this one. Rates are not looked at: what is left of them stands in the RateLimit header of every answer.',
    observed_by: 'this process',
    observed_at: isoOf(now),
    key: {
      name: key.name,
      state: 'active',
      expires_at: key.expiresAt === null ? null : isoOf(key.expiresAt),
      default_route: defaultRoute,
      strict_route: key.strictRoute,
      direct_models: key.directModels,
      replay: { enabled: key.replay.enabled, ttl_s: key.replay.enabled ? key.replay.ttlS : null },
    },
    routes: routes.map((each) => routeOf(told, each)),
    routes_not_listed: notListed,
  };
}

interface Told {
  now: number;
  /** GET /v1/models lists `connection/model` for this key: their names are no news to whoever holds it. */
  connections: boolean;
}

type RouteTold = ProvidersReport['routes'][number];
type TierTold = RouteTold['tiers'][number];
type Reason = TierTold['reason'];

function routeOf(told: Told, { label, isDefault, commit, tiers }: RouteReadiness): RouteTold {
  const ready = tiers.some(({ hindrance }) => hindrance === null);
  const passing = tiers.flatMap((each) => [each, ...(each.eco?.candidates ?? [])]).some(({ hindrance }) => hindrance !== null && PASSING.has(hindrance.why));
  return { name: label, default: isDefault, commit, ready, asked_anyway: !ready && passing, tiers: tiers.map((each) => tierOf(told, each)) };
}

/** What a walk minds only as long as another tier is left. */
const PASSING: ReadonlySet<Hindrance['why']> = new Set(['cooling_down', 'probed', 'credential_rejected']);

function tierOf(told: Told, { position, tier: config, hindrance, eco }: TierReadiness): TierTold {
  const ready = hindrance === null;
  if (eco === null) return { position, kind: 'model', ...named(told, config), ready, reason: reasonOf(told, hindrance), candidates: null, candidates_not_listed: 0 };
  const candidates = eco.candidates.slice(0, MOST_CANDIDATES).map(({ tier: candidate, hindrance: own, leftOut }) => ({
    ...named(told, candidate),
    ready: own === null && leftOut === null,
    reason: leftOut === null ? reasonOf(told, own) : { code: LEFT_OUT, message: leftOut === 'unpriced' ? 'Without a known price it is never the cheapest.' : `It cannot serve a short chat: ${leftOut}.`, until: null } as const,
  }));
  return { position, kind: 'eco', connection: null, provider: null, model: null, ready, reason: reasonOf(told, hindrance), candidates, candidates_not_listed: eco.candidates.length - candidates.length + eco.notListed };
}

/** `eco` itself may have a hundred, and the first that are ready are what counts. */
const MOST_CANDIDATES = 20;

const named = ({ connections }: Told, { connection, model }: CandidateReadiness['tier']) => ({ connection: connections ? connection.name : null, provider: connection.provider, model });

function reasonOf({ now }: Told, hindrance: Hindrance | null): Reason {
  if (hindrance === null) return null;
  const { why, message, forMs } = hindrance;
  return { code: why, message: message ?? REASONS[why], until: forMs === null ? null : isoOf(now + forMs) };
}

/** To the whole millisecond above: before it, the answer would be the same. */
const isoOf = (ms: number): string => new Date(Math.ceil(ms)).toISOString();
