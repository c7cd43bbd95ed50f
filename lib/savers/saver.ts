import type { TextSlot } from '../wire';

/**
 * Stored with keys and rows, and never renamed. In the order in which they work, whatever order a key names them in:
 * what makes a text shorter for good comes first, what cuts comes last.
 */
export const SAVER_IDS = ['repeat-reference', 'terminal-output', 'html-text', 'json-compact', 'log-fold', 'stack-frames', 'base64-stub', 'blank-lines', 'head-tail'] as const;
export type SaverId = (typeof SAVER_IDS)[number];

/** Why a saver's work was undone. */
export type Undone = 'threw' | 'timeout' | 'larger' | 'structure' | 'provider_refused';

/** What one saver did to one conversation. Its member names are those of the ledger and of the API. */
export interface SaverRecord {
  saver: SaverId;
  /** Texts that it changed. */
  texts: number;
  /** UTF-8 bytes of these texts, before and after. */
  bytes_before: number;
  bytes_after: number;
  /** Tokens of these texts; null where they were not counted. */
  tokens_before: number | null;
  tokens_after: number | null;
  /** Why some or all of its work was undone; null where none was. Of a saver that was undone whole, the counts are 0. */
  undone: Undone | null;
}

/**
 * A deterministic rewrite that spends fewer tokens. Pure and linear in the text's length, also on hostile input: no
 * clock, no chance, no backtracking. What it makes of a text depends on that text and on what came before it in the
 * conversation, never on what follows, so that a provider's prompt cache keeps hitting.
 *
 * One exception, which no saver can mend: time and size are limits of a whole conversation. When it grows past one
 * (SAVER_BUDGET_MS for a saver, MOST_CHARACTERS of lib/gateway/save-tokens.ts for all), what was done to its earlier
 * messages is undone too: they go out as they came, the beginning that the provider had cached is another one, and
 * that turn misses the cache. Where a saver's time is short, a busy machine decides, and it can happen in a later turn again.
 */
export interface Saver {
  id: SaverId;
  label: string;
  /** What it does, in one sentence for people. */
  promise: string;
  /** What it must never touch. */
  never: string;
  /** Nothing that a reader could miss is gone. Only such savers are suggested. */
  lossless: boolean;
  /** JSON that it rewrites is JSON again; undone where it was not. */
  keepsJson: boolean;
  /** Is this a text that it works on? */
  takes(slot: TextSlot): boolean;
  /** The same text, or a shorter one. */
  rewrite(text: string, slot: TextSlot, before: Before): string;
}

/** What came before a slot in the conversation. */
export interface Before {
  /** The oldest tool result with exactly this text, by the id of its call; null where there is none. */
  sameResult(text: string): string | null;
}

export const isToolResult = (slot: TextSlot): boolean => slot.role === 'tool';
export const isAnyText = (): boolean => true;
