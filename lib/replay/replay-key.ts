import { createHmac } from 'node:crypto';
import type { RouteConfig } from '../gateway/ports';
import type { SurfaceId } from '../surfaces';
import { canonicalJson } from './canonical-json';

/**
 * Whose answers these are. A generation is part of each: moving on to the next one puts everything stored before
 * out of reach, at once and without looking for it.
 */
export type ReplayScope =
  | { kind: 'key'; keyId: string; generation: string }
  | { kind: 'workspace'; workspaceId: string; generation: string };

export interface ReplayQuestion {
  surface: SurfaceId;
  /** The client's request, parsed. */
  body: Readonly<Record<string, unknown>>;
  /** How many values its text holds: see canonicalJson. */
  values: number;
  /** Request headers that change what is answered, by name. */
  headers: Readonly<Record<string, string>>;
  /** The route as it is now: see routeMark. */
  route: string;
  /** Names of the savers that rewrite this request. */
  savers: readonly string[];
}

/** Members that change how an answer is delivered or who is told of it, not what it says. */
const WITHOUT: ReadonlySet<string> = new Set(['stream', 'stream_options', 'user', 'metadata']);

/**
 * The name under which an answer to this question is kept, or null for a body that cannot be told apart from
 * another one. `secret` is the workspace's own: names of one workspace mean nothing in another, and nobody who
 * sees them learns a question by trying.
 */
export function replayKey(secret: Buffer, scope: ReplayScope, question: ReplayQuestion): string | null {
  const body = canonicalJson(question.body, question.values, WITHOUT);
  if (body === null) return null;
  const { surface, headers, route, savers } = question;
  const owner = scope.kind === 'key' ? scope.keyId : scope.workspaceId;
  const about = JSON.stringify([FORMAT, scope.kind, owner, scope.generation, surface, route, savers, Object.entries(headers).sort()]);
  return `ohm:replay:${createHmac('sha256', secret).update(about).update('\n').update(body).digest('base64url')}`;
}

const FORMAT = 1;
const marks = new WeakMap<RouteConfig, string>();

/**
 * A route and its tiers as they are now. The connections' own revisions are in it: one that leads elsewhere since
 * must not answer with what it said before, also where it is named directly and no route has a revision.
 */
export function routeMark(route: RouteConfig): string {
  let mark = marks.get(route);
  if (mark === undefined) {
    mark = JSON.stringify([route.id, route.revision, route.replayGeneration, route.tiers.flatMap((tier) => tier.eco ?? [tier]).map(({ connection, model }) => [connection.id, connection.revision, model])]);
    marks.set(route, mark);
  }
  return mark;
}
