import { bearer } from '../gateway/call-options';
import type { Caller, EdgeCall, EdgeDesk } from '../gateway/ports';
import { routeMark } from '../replay';
import type { Clock } from '../std';
import type { Store } from '../stores';
import { callIds } from './call-ids';
import { type Grant, type GrantedModel, grantBook } from './grant';

export interface DeskOptions {
  secret: string;
  /** What this process shares with edges. In memory: nothing, and no grant is made. */
  store: Store;
  clock: Clock;
  /** How much longer the directory's answer may be used, ms. */
  freshForMs(caller: Caller): number;
  /** Something of a workspace (null: of any) has changed. Returns the way to stop. */
  onConfigChange(listener: (workspaceId: string | null) => void): () => void;
}

/** Models a grant. A key that calls by more names has the rest answered here. */
const MAX_MODELS = 64;
/** Shorter ones would be over before they are read. */
const SHORTEST_MS = 250;

/** The control plane's side of the edge. Costs calls that come otherwise one look at a header. */
export function createEdgeDesk({ secret, store, clock, freshForMs, onConfigChange }: DeskOptions): EdgeDesk & { close(): void } {
  const ids = callIds(secret);
  const book = grantBook(secret);
  /** What was granted on the strength of each answer of the directory. */
  const granted = new WeakMap<Caller, Map<string, GrantedModel>>();
  const published = createPublished(clock);

  const stopListening = onConfigChange((workspaceId) => {
    const names = published.take(workspaceId);
    if (names.length > 0 && store.up) quietly(store.delete(names));
  });

  function publish(caller: Caller, token: string, models: Map<string, GrantedModel>, forMs: number): void {
    const name = book.nameOf(token);
    const { key, workspace } = caller;
    const grant: Grant = {
      key: { id: key.id, replay: key.replay, limits: key.limits },
      workspace: { id: workspace.id, replay: workspace.replay, limits: workspace.limits },
      savers: key.saving.savers,
      untilMs: clock.now() + forMs,
      models: Object.fromEntries(models),
    };
    published.add(workspace.id, name, forMs);
    quietly(store.set(name, book.seal(name, grant), forMs));
  }

  return {
    callId: ({ headers }) => ids.read(headers),
    grant({ caller, requestHeaders, requestedModel, route, routeLabel, resolvedBy }: EdgeCall) {
      if (store.kind === 'memory' || !store.up) return;
      let models = granted.get(caller);
      if (models === undefined) granted.set(caller, (models = new Map()));
      if (models.has(requestedModel) || models.size >= MAX_MODELS) return;
      const token = bearer(requestHeaders);
      const forMs = Math.min(freshForMs(caller), caller.key.expiresAt === null ? Infinity : caller.key.expiresAt - clock.now());
      if (token === null || forMs < SHORTEST_MS) return;
      models.set(requestedModel, { route: routeMark(route), label: routeLabel, resolvedBy });
      publish(caller, token, models, forMs);
    },
    close: stopListening,
  };
}

/** Entries that may still be in the store, by workspace. */
function createPublished(clock: Clock) {
  let entries: { workspaceId: string; name: string; until: number }[] = [];
  return {
    add(workspaceId: string, name: string, forMs: number): void {
      if (entries.length >= 1_000 && entries.length % 500 === 0) entries = entries.filter(({ until }) => until > clock.monotonic());
      entries.push({ workspaceId, name, until: clock.monotonic() + forMs });
    },
    /** Those of a workspace, or all of them. */
    take(workspaceId: string | null): string[] {
      const taken = entries.filter((entry) => workspaceId === null || entry.workspaceId === workspaceId);
      entries = workspaceId === null ? [] : entries.filter((entry) => entry.workspaceId !== workspaceId);
      return [...new Set(taken.map(({ name }) => name))];
    },
  };
}

/** Nobody waits for it: what does not arrive is a few seconds of asking a control plane. */
function quietly(done: void | Promise<void>): void {
  if (done instanceof Promise) done.catch(() => undefined);
}
