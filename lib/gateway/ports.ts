import type { AdmittedRow, CallRow, UsageRow } from '../metering/call-row';
import type { Limits } from '../limits';
import type { SaverId } from '../savers';
import type { Wire } from '../providers';
import type { Failure } from '../wire';

/** What the engine needs from outside. boot.ts fills these in; tests fill in their own. */

/** A workspace's credential for one provider, as the hot path sees it. */
export interface ConnectionConfig {
  id: string;
  workspaceId: string;
  name: string;
  /** Preset id, e.g. `openai`, `custom`, `sandbox`. Shown as X-Ohm-Provider. */
  provider: string;
  wire: Wire;
  /** Root to which the wire adds its own path, without a trailing slash. Unused by the sandbox. */
  baseUrl: string;
  /** `sandbox` connections go to the product's own loopback provider with its per-boot token, never by URL. */
  kind: 'http' | 'sandbox';
  /** Decrypts on first use and remembers; null when the connection has no key. */
  apiKey: () => string | null;
  /** What the workspace says that models cost here: the newest of each model first. Empty nearly always. */
  prices: readonly WorkspacePrice[];
  revision: number;
}

/** A price that a workspace states, from a moment on. Integer nano-USD for a million tokens; null: as the prompt's others. */
export interface WorkspacePrice {
  id: string;
  model: string;
  /** Ms since the epoch. */
  fromMs: number;
  input: number;
  output: number;
  cachedInput: number | null;
  cacheWrite: number | null;
}

export interface TierConfig {
  connection: ConnectionConfig;
  model: string;
  /** Null: the contract's default for the tier's place and model. */
  firstContentTimeoutMs: number | null;
  idleTimeoutMs: number | null;
  responseTimeoutMs: number | null;
  /**
   * Candidates of an eco tier, of which the cheapest that can serve is asked: tiers of their own with its time-outs,
   * as they are listed. `connection` and `model` are then the first one's. Null: the tier is what it says.
   */
  eco: readonly TierConfig[] | null;
}

export interface RouteConfig {
  id: string;
  name: string;
  revision: number;
  commit: 'first_content' | 'complete';
  /** Moves on with a purge of the answers kept of this route. */
  replayGeneration: number;
  deadlineMs: number;
  tiers: TierConfig[];
}

export interface WorkspaceConfig {
  id: string;
  routes: Map<string, RouteConfig>;
  connections: Map<string, ConnectionConfig>;
  fallbackModel: string | null;
  /** Move on with a purge: of all answers kept of this workspace, of those that its keys share. */
  replay: { generation: number; sharedGeneration: number };
  limits: Limits | null;
}

export interface KeyConfig {
  id: string;
  workspaceId: string;
  name: string;
  /** Route that `auto` means; null when the key has none. */
  defaultRoute: string | null;
  /** `<connection>/<model>` and catalog ids may be named. */
  directModels: boolean;
  /** Every model name walks `tiers`, or the default route when there are none. */
  strictRoute: boolean;
  /** Finished answers are kept and served again to an equal request: of this key alone, or of every key so set. */
  replay: { enabled: boolean; ttlS: number; scope: 'key' | 'workspace'; generation: number };
  /** A private route carried by the key; null when it has none. */
  tiers: TierConfig[] | null;
  /** Ms since the epoch. */
  expiresAt: number | null;
  limits: Limits | null;
  /** Savers that rewrite its messages, in the order in which they work, and how many of its conversations stay as they came, %. */
  saving: { savers: readonly SaverId[]; holdoutPercent: number; keepsTexts: boolean };
}

/** For callers without a row of their own: trials, tests. */
export const SAVING_OFF: KeyConfig['saving'] = { savers: [], holdoutPercent: 0, keepsTexts: false };
export const REPLAY_OFF: KeyConfig['replay'] = { enabled: false, ttlS: 3_600, scope: 'key', generation: 0 };

export interface Caller {
  key: KeyConfig;
  workspace: WorkspaceConfig;
}

export interface KeyDirectory {
  /**
   * The caller behind an `ohm_sk_…` token. Null for junk, unknown, disabled, revoked and expired keys alike.
   * Synchronous when the answer is cached (the hot path), a promise when it must be read.
   * Rejects with `DirectoryUnavailable` when the database cannot answer: a 503, never a 401.
   */
  find(token: string): Caller | null | Promise<Caller | null>;
}

/** The database (or the journal) cannot answer now. `code` survives bundling where class identity does not. */
export class DependencyUnavailable extends Error {
  readonly code = 'dependency_unavailable';
}

export interface CallLog {
  /** Durable against process death when it returns (or resolves). Throws DependencyUnavailable when it cannot be. */
  admit(row: AdmittedRow): void | Promise<void>;
  /** Exactly once per admitted call; the same durability. Also the only record of calls rejected before admission. */
  settle(row: CallRow): void | Promise<void>;
  /**
   * Resolves when the budgets of this settled call are charged, which may be later than its row is durable; and after
   * `boundMs` all the same, whether or not they are: the row will charge them once the database takes it. Never rejects.
   */
  charged(id: string, boundMs: number): void | Promise<void>;
  /** After a settled row turned out wrong because the last write failed. */
  correct(id: string, change: Pick<CallRow, 'state' | 'flushed_bytes'>): void;
  /** What was counted of a settled call only after its end. */
  measured(id: string, late: LateMeasurement): void;
}

/** Tokens of a call that ended before they were counted. */
export type LateMeasurement = Pick<CallRow, 'tokens_before' | 'tokens_after' | 'tokenizer' | 'savers'>;

export interface Prices {
  /** Integer nano-USD for this usage at the price in force, or null when the model has no known price. The workspace's own comes first. */
  cost(connection: Pick<ConnectionConfig, 'provider' | 'prices'>, model: string, usage: UsageRow, atMs: number): { nanoUsd: number; version: string } | null;
  /** Catalog flag: the model reasons before it answers. An unknown model does not. */
  thinks(provider: string, model: string): boolean;
  /** Catalog: the longest answer of this model in tokens; null when it is unknown. */
  maxOutputTokens(provider: string, model: string): number | null;
}

/** Rates and budgets. Only asked for callers that have some. */
export interface LimitGate {
  /** Rejects with DependencyUnavailable when a budget cannot be checked: nothing is let through unchecked. */
  admit(ask: LimitAsk): LimitVerdict | Promise<LimitVerdict>;
  /**
   * What `admit` would set aside in money, integer nano-USD; null where no budget applies, -1 where the budget is used
   * up or none of the costs is known. Sets nothing aside and looks at no rates. Rejects as `admit` does.
   */
  cover(ask: Pick<LimitAsk, 'callId' | 'caller' | 'atMs'>, costs: (number | null)[]): Promise<number | null>;
}

export interface LimitAsk {
  callId: string;
  caller: { key: Pick<KeyConfig, 'id' | 'limits'>; workspace: Pick<WorkspaceConfig, 'id' | 'limits'> };
  /** Wall time of the call's start, ms. */
  atMs: number;
  /** Prompt and completion together, by estimate. */
  estimatedTokens: number;
  /** The prompt alone, by estimate: it is the one part that no shorter answer makes fit. */
  promptTokens: number;
  /** What a call to each tier may cost, integer nano-USD, in the order of the tiers; null where the price is unknown. Null in place of it: nobody will be paid, so neither tokens nor money are asked about. */
  costs: (() => (number | null)[]) | null;
}

export type LimitVerdict =
  | {
      admitted: true;
      /** For the answer: what is left. */
      headers: Record<string, string>;
      /** Money set aside, integer nano-USD: a tier that may cost more is skipped. Null: no budget applies. */
      coveredNanoUsd: number | null;
      /** The call is over. `totalTokens` of its usage, null when nobody knows; the second call does nothing. */
      end(totalTokens: number | null): void;
    }
  | { admitted: false; why: 'rate'; kind: 'requests' | 'tokens' | 'concurrent'; limit: number; retryAfterS: number; headers: Record<string, string> }
  /** The prompt alone is more than so many tokens a minute: no waiting helps. */
  | { admitted: false; why: 'never_fits'; limit: number; headers: Record<string, string> }
  | { admitted: false; why: 'budget'; scope: 'key' | 'workspace'; period: 'day' | 'month'; resetsInS: number; headers: Record<string, string> }
  | { admitted: false; why: 'unpriced'; headers: Record<string, string> };

/** What an edge plane in front of this process has to be told, and what is taken from it. */
export interface EdgeDesk {
  /** The id that an edge of this installation has given to the call: another process may be asked for the same call. Null for a request that came otherwise. */
  callId(request: Pick<CallRequest, 'headers'>): string | null;
  /** A call whose id an edge gave has a place among the stored answers: the edge may serve from there itself for a moment. */
  grant(call: EdgeCall): void;
}

export interface EdgeCall {
  readonly caller: Caller;
  readonly requestHeaders: CallRequest['headers'];
  readonly requestedModel: string;
  readonly route: RouteConfig;
  readonly routeLabel: string;
  readonly resolvedBy: 'name' | 'fallback_model';
  /** Savers that work on the request: part of the name of what is kept. */
  readonly savers: readonly SaverId[];
}

/** Health of connection + model pairs, per workspace; see lib/health. */
export interface Health {
  /** Would `admit` say yes? Takes nothing. */
  available(connection: ConnectionConfig, model: string, budgetMs: number): boolean;
  /** Why it would say no; null where it would say yes. Takes nothing. */
  benched(connection: ConnectionConfig, model: string, budgetMs: number): Benched | null;
  /**
   * May this tier be tried now? After a cool-down exactly one caller gets the probe; it must report the outcome.
   * `budgetMs` is the tier's own budget: a time-out benches the pair only for budgets no longer than the one missed.
   */
  admit(connection: ConnectionConfig, model: string, budgetMs: number): boolean;
  /** A failed visit, or an answer cut after its commit. */
  failed(connection: ConnectionConfig, model: string, failure: Failure, budgetMs: number): void;
  /** First content arrived. */
  succeeded(connection: ConnectionConfig, model: string): void;
  /** Ended without a verdict (client left, a fault of the caller's): frees the probe. */
  abandoned(connection: ConnectionConfig, model: string): void;
}

export interface Benched {
  /** Its last visit failed; somebody else's call is finding out whether it is well again; its connection's credential was rejected. */
  why: 'cooling_down' | 'probed' | 'credential_rejected';
  /** Ms until it may be asked again; null where that depends on the running probe. */
  forMs: number | null;
}

/** A client that takes nothing for this long while bytes wait for it has left: its sink says so. */
export const CLIENT_STALL_MS = 60_000;
/** So has one that takes less than this a second, on average over that time, while more than `CLIENT_MUCH_BYTES` wait for it. */
export const CLIENT_BYTES_A_S = 16 * 1024;
export const CLIENT_MUCH_BYTES = 1024 * 1024;

/** Where a call's answer goes: one implementation over node:http, one over web streams. */
export interface Sink {
  /** Status and headers, once, before any write. */
  head(status: number, headers: Record<string, string>): void;
  /** Hands bytes to the socket. False: the client is slow; wait for `onDrain`. */
  write(chunk: string | Buffer): boolean;
  /** Ends the answer, with these bytes if there are any left: one write where the head is still to be sent. */
  end(last?: string | Buffer): void;
  onDrain(listener: () => void): void;
  /** Called once if the client leaves before `end` was flushed. */
  onClose(listener: () => void): void;
  /** True once the client is gone. */
  readonly closed: boolean;
  /** Who answers for what the client has not taken yet: a workspace, once it is known; empty until then. */
  owner: string;
}

/** A request as the doors hand it in. Header names are lower case. */
export interface CallRequest {
  method: string;
  path: string;
  /** What stands behind the question mark, undecoded; empty when nothing does. */
  query: string;
  headers: Record<string, string | string[] | undefined>;
  /**
   * Reads the whole body, at most `limit` bytes, which counts as its owner's (a workspace) until the response is done.
   * Resolves to null when it is larger; rejects, with a code, when the client leaves or stops sending, or memory is short.
   */
  body(limit: number, owner: string): Promise<Buffer | null>;
}
