import { tQuantile975 } from './student-t';

/** One conversation in one arm. */
export interface Conversation {
  calls: number;
  /** Tokens received, by our tokenizer: what the arms are normalised by. */
  received: number;
  /** What the provider billed for them: prompt tokens, or nano-USD. */
  billed: number;
}

/** One arm of one key and model, summed. */
export interface ArmSums {
  calls: number;
  conversations: number;
  received: number;
  billed: number;
  /** Over conversations: received². */
  squares: number;
  /** Over conversations: the squared residual of the arm's ratio, over the square of what the conversation leaves to the others. Null with fewer than two. */
  spread: number | null;
}

/** Both arms of one key and model: within it, conversations fall into an arm by chance alone. */
export interface Stratum {
  treated: ArmSums;
  holdout: ArmSums;
}

export interface SavingsEstimate {
  /** What the treated calls would have been billed more, had they been sent as they came. Negative: a loss. */
  saved: number;
  low: number;
  high: number;
  /** What they would have been billed then. */
  baseline: number;
  /** Calls behind it. */
  treatedCalls: number;
  holdoutCalls: number;
  /** By size and width alone, whatever the sign: a measured zero is measured. */
  measured: boolean;
}

export const MIN_CALLS = 200;
/** Of the baseline: half of the interval. */
export const MAX_HALF_WIDTH = 0.05;

/**
 * Savings from a hold-out, with a 95 % interval.
 *
 * Per stratum and arm the billed quantity for each token received is the ratio of two sums, a ratio estimator
 * (Cochran, Sampling Techniques, 3rd ed. 1977, chapter 6). What was saved is the difference of the two ratios times
 * what the treated calls received; strata are added (Cochran, section 6.10, the separate ratio estimator).
 *
 * The calls of a conversation resemble each other and share its arm, so the conversation is the unit of chance: the
 * variance of a ratio is clustered by it (Liang & Zeger, Biometrika 73, 1986), in the form CR3, which divides each
 * residual by what its conversation leaves to the others and so comes to the delete-one-conversation jackknife (Bell &
 * McCaffrey, Survey Methodology 28, 2002; MacKinnon, Nielsen & Webb, Journal of Econometrics 232, 2023). Token counts
 * are skewed, and a few long conversations may carry an arm: the t quantile has the degrees of freedom of the
 * *effective* number of conversations, (Σx)² / Σx² (Carter, Schnepel & Steigerwald, Review of Economics and Statistics
 * 99, 2017), combined over arms and strata by Satterthwaite's formula (Biometrics Bulletin 2, 1946).
 *
 * A simulation with known truth (estimate.sim.test.ts) holds its coverage to 93 to 97 %. Null where no stratum has two
 * conversations in each arm. Those that have not are left out, and their calls count nowhere here.
 */
export function estimateSavings(strata: readonly Stratum[]): SavingsEstimate | null {
  let saved = 0;
  let baseline = 0;
  let variance = 0;
  let satterthwaite = 0;
  let treatedCalls = 0;
  let holdoutCalls = 0;
  for (const { treated, holdout } of strata) {
    if (!isEstimable(treated) || !isEstimable(holdout)) continue;
    const scale = treated.received;
    saved += (holdout.billed / holdout.received - treated.billed / treated.received) * scale;
    baseline += (holdout.billed / holdout.received) * scale;
    treatedCalls += treated.calls;
    holdoutCalls += holdout.calls;
    for (const arm of [treated, holdout]) {
      const part = (arm.spread! / arm.received ** 2) * scale ** 2;
      variance += part;
      satterthwaite += part ** 2 / Math.max(1, arm.received ** 2 / arm.squares - 1);
    }
  }
  if (treatedCalls === 0) return null;
  const half = variance === 0 ? 0 : tQuantile975(variance ** 2 / satterthwaite) * Math.sqrt(variance);
  const measured = treatedCalls >= MIN_CALLS && holdoutCalls >= MIN_CALLS && half <= MAX_HALF_WIDTH * baseline;
  return { saved, low: saved - half, high: saved + half, baseline, treatedCalls, holdoutCalls, measured };
}

const isEstimable = (arm: ArmSums): boolean => arm.conversations >= 2 && arm.received > 0 && arm.spread !== null;

/** The sums of one arm from its conversations: what `ohm_savings_strata` does in the database. */
export function sumArm(conversations: readonly Conversation[]): ArmSums {
  let calls = 0;
  let received = 0;
  let billed = 0;
  let squares = 0;
  for (const each of conversations) {
    calls += each.calls;
    received += each.received;
    billed += each.billed;
    squares += each.received ** 2;
  }
  const ratio = billed / received;
  let spread = 0;
  for (const each of conversations) spread += ((each.billed - ratio * each.received) / (1 - each.received / received)) ** 2;
  return { calls, conversations: conversations.length, received, billed, squares, spread: conversations.length < 2 ? null : spread };
}
