import { DEFAULT_TIMEOUTS } from '@/lib/gateway/default-timeouts';
import { candidatesOf, MAX_TIERS, routeCreate, type RouteView } from '@/lib/management/schemas';
import { modelWords } from './tier-words';

/**
 * A route as a person edits it: text as typed, and tiers that keep their identity while they move.
 * Pure; the editor holds one of these and nothing else.
 */
export interface RouteDraft {
  name: string;
  commit: 'first_content' | 'complete';
  /** Ms, as typed. */
  deadlineMs: string;
  tiers: TierDraft[];
}

export interface TierDraft {
  /** Names the tier on the screen while it moves; never sent. */
  key: string;
  connection: string;
  model: string;
  /** Candidates of an eco tier, in place of the two above; null: a plain tier. */
  eco: CandidateDraft[] | null;
  /** Ms as typed; empty means the default of the place. */
  firstContentMs: string;
  idleMs: string;
  responseMs: string;
}

export interface CandidateDraft {
  key: string;
  connection: string;
  model: string;
}

/** What the management API takes, as JSON. Members that cannot be numbers yet are passed as typed, for the schema to name. */
export interface RouteBody {
  name: string;
  commit: 'first_content' | 'complete';
  deadline_ms: number | string;
  tiers: TierBody[];
}

export type TierBody = ({ connection: string; model: string } | { eco: { connection: string; model: string }[] }) & {
  first_content_timeout_ms: number | string | null;
  idle_timeout_ms: number | string | null;
  response_timeout_ms: number | string | null;
};

export function draftOf(route: Pick<RouteView, 'name' | 'commit' | 'deadline_ms' | 'tiers'>): RouteDraft {
  return {
    name: route.name,
    commit: route.commit,
    deadlineMs: String(route.deadline_ms),
    tiers: route.tiers.map((tier, index) => ({
      key: `saved-${index}`,
      connection: candidatesOf(tier)[0]?.connection ?? '',
      model: 'eco' in tier ? '' : tier.model,
      eco: 'eco' in tier ? tier.eco.map((candidate, at) => ({ key: `saved-${index}-${at}`, ...candidate })) : null,
      firstContentMs: textOf(tier.first_content_timeout_ms),
      idleMs: textOf(tier.idle_timeout_ms),
      responseMs: textOf(tier.response_timeout_ms),
    })),
  };
}

export function emptyDraft(connection: string): RouteDraft {
  return { name: '', commit: 'first_content', deadlineMs: '900000', tiers: [emptyTier('new-0', connection)] };
}

export function emptyTier(key: string, connection: string): TierDraft {
  return { key, connection, model: '', eco: null, firstContentMs: '', idleMs: '', responseMs: '' };
}

export function bodyOf(draft: RouteDraft): RouteBody {
  return {
    name: draft.name.trim(),
    commit: draft.commit,
    deadline_ms: numberOf(draft.deadlineMs) ?? '',
    tiers: draft.tiers.map((tier) => ({
      ...(tier.eco === null ? { connection: tier.connection, model: tier.model.trim() } : { eco: tier.eco.map(({ connection, model }) => ({ connection, model: model.trim() })) }),
      first_content_timeout_ms: numberOf(tier.firstContentMs),
      idle_timeout_ms: numberOf(tier.idleMs),
      response_timeout_ms: numberOf(tier.responseMs),
    })),
  };
}

/** The list with one tier taken out and put in at `to`. Any place to any place; outside the list nothing moves. */
export function moveTier<T>(tiers: readonly T[], from: number, to: number): T[] {
  const moved = tiers[from];
  if (moved === undefined || to < 0 || to >= tiers.length || from === to) return [...tiers];
  const rest = tiers.filter((_, index) => index !== from);
  return [...rest.slice(0, to), moved, ...rest.slice(to)];
}

/** Dotted path of a member (`tiers.1.model`) to the sentence that says what is wrong with it. */
export type DraftErrors = Readonly<Record<string, string>>;

/** Everything the API would refuse, said before it is sent: the API's own schema, then what needs the whole workspace. */
export function validate(draft: RouteDraft, connections: readonly string[], otherRoutes: readonly string[]): DraftErrors {
  const errors: Record<string, string> = {};
  const add = (field: string, message: string) => (errors[field] ??= message);

  const parsed = routeCreate.safeParse(bodyOf(draft));
  for (const issue of parsed.error?.issues ?? []) add(issue.path.join('.'), sentence(issue.message));

  if (otherRoutes.includes(draft.name.trim())) add('name', 'Another route has this name.');
  const seen = new Map<string, number>();
  draft.tiers.forEach((tier, index) => {
    if (tier.eco?.length === 0) add(`tiers.${index}.eco`, 'Add a candidate.');
    placesIn(tier, index).forEach(({ path, connection, model: typed }) => {
      if (!connections.includes(connection)) add(`${path}.connection`, connection === '' ? 'Choose a connection.' : `There is no connection "${connection}" any more.`);
      const model = typed.trim();
      const first = seen.get(`${connection}/${model}`);
      if (model !== '' && first !== undefined) add(`${path}.model`, first === index ? 'Another candidate is the same model on the same connection.' : `Tier ${first + 1} is the same model on the same connection.`);
      else seen.set(`${connection}/${model}`, index);
    });
  });
  return errors;
}

/** Every connection and model of a tier, with the member that names them. */
function placesIn(tier: TierDraft, index: number): { path: string; connection: string; model: string }[] {
  if (tier.eco === null) return [{ path: `tiers.${index}`, connection: tier.connection, model: tier.model }];
  return tier.eco.map(({ connection, model }, at) => ({ path: `tiers.${index}.eco.${at}`, connection, model }));
}

/** Does this member name a model that nobody has typed yet? */
export function isUntypedModel(draft: RouteDraft, field: string): boolean {
  return field.endsWith('.model') && draft.tiers.some((tier, index) => placesIn(tier, index).some(({ path, model }) => `${path}.model` === field && model.trim() === ''));
}

export function sameDraft(a: RouteDraft, b: RouteDraft): boolean {
  return JSON.stringify(bodyOf(a)) === JSON.stringify(bodyOf(b));
}

export const canAddTier = (draft: RouteDraft): boolean => draft.tiers.length < MAX_TIERS;

/** `gpt-4o-mini on main`: what a tier is called in names of controls and in announcements. */
export function tierName(tier: Pick<TierDraft, 'connection' | 'model' | 'eco'>): string {
  return tier.eco === null ? modelWords(tier) : `the cheapest of ${tier.eco.length} ${tier.eco.length === 1 ? 'candidate' : 'candidates'}`;
}

/** The contract's defaults at a place of the list, ms. */
export function defaultsAt(index: number, count: number): { firstContentMs: number; idleMs: number; responseMs: number } {
  const { firstContent, idle, response } = DEFAULT_TIMEOUTS;
  return { firstContentMs: index < count - 1 ? firstContent.follows : firstContent.last, idleMs: idle, responseMs: response.plain };
}

function textOf(ms: number | null): string {
  return ms === null ? '' : String(ms);
}

function numberOf(text: string): number | string | null {
  const typed = text.trim();
  if (typed === '') return null;
  return /^\d+$/.test(typed) ? Number(typed) : typed;
}

function sentence(message: string): string {
  const text = message.startsWith('Invalid input') ? 'must be a whole number of milliseconds' : message;
  return `${text[0]!.toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
