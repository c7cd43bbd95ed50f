/** A value, at once where it is at hand: the in-process store never makes a caller wait for a microtask. */
export type Later<T> = T | Promise<T>;

export type StoreKind = 'memory' | 'redis' | 'upstash';

/**
 * What processes of one installation share for a while: texts with a time to live, and atomic steps over small
 * cells. Losing it costs replays and the memory of limits, never an answer, a record or money: those are in
 * PostgreSQL.
 *
 * There is no scan and no "delete all of": whoever needs that puts a generation into the key and moves on to the
 * next one.
 */
export interface Store {
  readonly kind: StoreKind;
  /** False while the breaker is open: every method would reject at once, so ask nothing. */
  readonly up: boolean;
  /** Null when it is absent or its time is over. */
  get(key: string): Later<string | null>;
  /** Replaces what was there. `ttlMs` is at least 1. */
  set(key: string, value: string, ttlMs: number): Later<void>;
  delete(keys: readonly string[]): Later<void>;
  /** Runs a script over these keys and no others, as one step that nobody else's can come between. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Later<number[]>;
  /** Answers when the store does. */
  ping(): Later<void>;
  close(): Promise<void>;
}

/**
 * One atomic step, written twice: in Lua for Redis (5.0 and newer, over TCP and REST alike), and over the cells of
 * one process. Both reply with a list of numbers; Lua cuts fractions off, so that it sends them as text.
 */
export interface Script {
  /** Letters only: the client calls it by this name. */
  name: string;
  lua: string;
  local(cells: Cells, keys: readonly string[], args: readonly number[], nowMs: number): number[];
}

/** The cells of an in-process store. Unlike texts they are never pushed out by other ones. */
export interface Cells {
  /** Null when it is absent or its time is over. */
  get(key: string): number | null;
  /** Ms until its time is over; 0 when it is absent. */
  ttlMs(key: string): number;
  set(key: string, value: number, ttlMs: number): void;
}

/** The longest that one question to the store may take, ms. Longer counts as no answer. */
export const STORE_BOUND_MS = 20;

/** The store did not answer within its bound, or is known to be away. `code` survives bundling where class identity does not. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'store_unavailable';
}

export const isStoreUnavailable = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'store_unavailable';
