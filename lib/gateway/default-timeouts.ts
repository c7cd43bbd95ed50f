const SECOND = 1_000;

/** A tier's time-outs where its owner set none, ms: the contract's. */
export const DEFAULT_TIMEOUTS = {
  firstContent: { follows: 10 * SECOND, last: 60 * SECOND, thinks: 300 * SECOND },
  response: { plain: 120 * SECOND, thinks: 600 * SECOND },
  idle: 30 * SECOND,
} as const;
