/** The normal distribution's. */
const Z = 1.959963984540054;

/**
 * The 97.5 % quantile of Student's t, for one degree of freedom or more, fractions included. From two on by the
 * expansion in powers of 1/df (Abramowitz & Stegun 1964, formula 26.7.5), within 0.5 % from three on; below, where the
 * expansion fails, between the exact values at 1, 2 and 3.
 */
export function tQuantile975(df: number): number {
  if (df >= 3) return expanded(df);
  if (df <= 1) return EXACT[0];
  const [low, high, from] = df < 2 ? [EXACT[0], EXACT[1], 1] : [EXACT[1], EXACT[2], 2];
  // Quantiles are far closer to straight in 1/df than in df.
  const share = (1 / from - 1 / df) / (1 / from - 1 / (from + 1));
  return low * (high / low) ** share;
}

/** At 1, 2 and 3 degrees of freedom. */
const EXACT = [12.706204736432095, 4.302652729911275, 3.182446305284263] as const;

const C1 = (Z ** 3 + Z) / 4;
const C2 = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
const C3 = (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384;
const C4 = (79 * Z ** 9 + 776 * Z ** 7 + 1482 * Z ** 5 - 1920 * Z ** 3 - 945 * Z) / 92_160;

const expanded = (df: number): number => Z + C1 / df + C2 / df ** 2 + C3 / df ** 3 + C4 / df ** 4;
