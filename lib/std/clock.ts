/** Time as a parameter, so that tests can own it. */
export interface Clock {
  /** Wall time, ms since the epoch. Goes into records. */
  now(): number;
  /** Monotonic time, ms. Durations and deadlines are measured with it. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
