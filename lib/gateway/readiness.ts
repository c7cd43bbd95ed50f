import type { EcoCandidateRow } from '../metering/call-row';
import { modelsFor, resolveModel, type Resolution } from '../routing';
import { newId } from '../std';
import { chatCompletions } from '../surfaces';
import { callFacts } from './call-facts';
import type { Engine } from './engine';
import { modelAsked } from './model-asked';
import { openCall, type OpenCall } from './open-call';
import { isCovered, isPriced, lookAtBudget } from './pass-limits';
import { type Place, placesOf } from './places';
import { planTier } from './plan-tier';
import type { Benched, Caller, Sink, TierConfig } from './ports';
import { type ClientRequest, readRequest } from './read-request';
import { REFUSALS, type Rejection } from './rejection';

/** What keeps a tier from being asked now: the walk's own reasons. */
export interface Hindrance {
  why: Benched['why'] | 'budget' | 'unpriced' | 'cannot_represent' | 'no_candidate';
  /** One sentence; null where `why` says it all. */
  message: string | null;
  /** Ms until it is over; null where nobody knows. */
  forMs: number | null;
}

export interface CandidateReadiness {
  tier: TierConfig;
  /** Null: it would be asked. */
  hindrance: Hindrance | null;
}

export interface TierReadiness extends CandidateReadiness {
  /** 1-based. */
  position: number;
  /** Of an eco tier, in the order in which they would be asked, then those that are left out; null for other tiers. */
  eco: { candidates: (CandidateReadiness & { leftOut: EcoCandidateRow['left_out'] })[]; notListed: number } | null;
}

export interface RouteReadiness {
  /** As X-Ohm-Route says it. */
  label: string;
  isDefault: boolean;
  commit: 'first_content' | 'complete';
  tiers: TierReadiness[];
}

export interface Readiness {
  caller: Caller;
  /** Label of what `auto` means; null where it means nothing. */
  defaultRoute: string | null;
  routes: RouteReadiness[];
  /** Routes past the bound, which are there if they are asked for by name. */
  notListed: number;
}

/**
 * What a plain chat would meet on every route that the caller may use, or on the one that is named: as if it were
 * walked, with the walk's own questions. Contacts nobody, takes no probe, no rate and no money, and leaves no record.
 * Refuses what a call would be refused, in the same words.
 */
export async function readinessOf(engine: Engine, caller: Caller, route: string | null): Promise<Readiness | Rejection> {
  if (engine.draining()) return REFUSALS.draining();
  const usable = routesFor(caller);
  const asked = route === null ? usable : usable.filter(({ label }) => label === route);
  if (route !== null && asked.length === 0) return REFUSALS.unknownModel(route, usable.map(({ label }) => label));
  const calls = asked.slice(0, MOST_ROUTES).map((resolved) => plainCall(engine, caller, resolved));
  try {
    await lookAtBudget(calls);
  } catch {
    return REFUSALS.unavailable(); // as a call would be: nobody can say what is left
  }
  const own = modelsFor(caller).includes('auto') ? resolveModel(caller, 'auto')!.label : null;
  return { caller, defaultRoute: own, routes: calls.map((call) => routeReadiness(call, own)), notListed: asked.length - calls.length };
}

/** Routes in one answer. */
const MOST_ROUTES = 50;

/** What is asked about: one short message, streamed, without tools. */
const PLAIN_CHAT = { stream: true, messages: [{ role: 'user', content: 'Hello' }] };

/** Everything that has tiers of its owner's and that the caller can name: its default, `eco`, the routes. */
function routesFor(caller: Caller): Resolution[] {
  const found = new Map<string, Resolution>();
  for (const name of modelsFor(caller)) {
    if (name !== 'auto' && name !== 'eco' && !caller.workspace.routes.has(name)) continue; // one model, named directly
    const resolved = resolveModel(caller, name);
    if (resolved !== null) found.set(resolved.label, resolved);
  }
  return [...found.values()];
}

/** The call that a client would make, up to the walk. It is never admitted. */
function plainCall(engine: Engine, caller: Caller, { route, label, resolvedBy }: Resolution): OpenCall {
  const facts = callFacts(engine, newId('call'), engine.clock.now(), engine.clock.monotonic(), caller, chatCompletions);
  facts.requestedModel = facts.routeLabel = label;
  facts.stream = true;
  facts.resolvedBy = resolvedBy;
  const request = readRequest(chatCompletions, Buffer.from(JSON.stringify({ model: label, ...PLAIN_CHAT }))) as ClientRequest;
  return openCall(facts, route, request, { firstTierOnly: false, traceparent: null, saversOff: true }, {}, NOBODY);
}

const NOBODY: Sink = { head: () => {}, write: () => true, end: () => {}, onDrain: () => {}, onClose: () => {}, closed: false, owner: '' };

function routeReadiness(call: OpenCall, own: string | null): RouteReadiness {
  const places = placesOf(call);
  const tiers = call.route.tiers.map((tier, at): TierReadiness => {
    const mine = places.filter(({ number }) => number === at + 1);
    return tier.eco === null ? { position: at + 1, tier, hindrance: hindranceOf(call, mine[0]!), eco: null } : ecoReadiness(call, tier, at + 1, mine);
  });
  return { label: call.routeLabel, isDefault: call.routeLabel === own, commit: call.route.commit, tiers };
}

function ecoReadiness(call: OpenCall, tier: TierConfig, position: number, places: readonly Place[]): TierReadiness {
  const met = places.map((place) => ({ place, hindrance: hindranceOf(call, place) }));
  const compared = call.eco!.find((row) => row.tier === position)!;
  const candidates = compared.candidates.map(({ connection, model, left_out: leftOut }) => {
    const candidate = tier.eco!.find((each) => each.connection.name === connection && each.model === model)!;
    return { tier: candidate, leftOut, hindrance: met.find(({ place }) => place.tier === candidate)?.hindrance ?? null };
  });
  return { position, tier, hindrance: met.some(({ hindrance }) => hindrance === null) ? null : soonestOver(met.map(({ hindrance }) => hindrance!)), eco: { candidates, notListed: compared.not_listed } };
}

/** What the walk would find at this place. As on a row, what is there for good goes before what passes. */
function hindranceOf(call: OpenCall, place: Place): Hindrance | null {
  const { tier, budgetMs, unable } = place;
  if (unable !== null) return { why: 'no_candidate', message: unable.message, forMs: null };
  if (!isCovered(call, tier)) return { why: isPriced(call, tier) ? 'budget' : 'unpriced', message: null, forMs: null };
  if ('param' in planTier(call, place, call.startedAt + call.route.deadlineMs, FIRST)) return { why: 'cannot_represent', message: null, forMs: null };
  const benched = call.engine.health.benched(tier.connection, modelAsked(call, tier), budgetMs);
  return benched && { why: benched.why, message: null, forMs: benched.forMs };
}

const FIRST = { fresh: false, withoutStreamOptions: false };

/** Of an eco tier of which no candidate can be asked: what is over first. */
function soonestOver(hindrances: readonly Hindrance[]): Hindrance {
  return hindrances.reduce((first, each) => ((each.forMs ?? Number.POSITIVE_INFINITY) < (first.forMs ?? Number.POSITIVE_INFINITY) ? each : first));
}
