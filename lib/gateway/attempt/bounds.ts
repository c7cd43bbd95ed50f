const KiB = 1024;
const MiB = 1024 * KiB;

export type Bounds = { readonly [name in keyof typeof BOUNDS]: number };

/** Sizes and times that bound every attempt, whatever the upstream does. */
export const BOUNDS = {
  /** DNS + TCP + TLS, inside the first-content budget. */
  connectMs: 5_000,
  /** Complete events held before the first content, whichever comes first. */
  preambleBytes: 256 * KiB,
  preambleEvents: 1_000,
  /** One event, one line. */
  eventBytes: 16 * MiB,
  /** A whole non-streamed answer. */
  wholeBodyBytes: 32 * MiB,
  /** Of one answer. A frame may hold far more, and each is looked at by itself wherever the answer goes. */
  toolCalls: 10_000,
  /** As much of an error body as is read. */
  errorBodyBytes: 64 * KiB,
  /** An answer held by the commit policy `complete`; beyond it the attempt commits. */
  completeBytes: 8 * MiB,
  /** From the last finish_reason to the known ending. */
  closingMs: 2_000,
  /** A gap after the commit that is bridged with an empty delta. */
  bridgeMs: 15_000,
} as const;
