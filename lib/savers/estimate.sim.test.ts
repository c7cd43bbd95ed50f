import { afterAll, expect, test } from 'vitest';
import { type Conversation, estimateSavings, sumArm } from './estimate';

/**
 * Does the interval cover the truth as often as it says? Conversations of unequal, lognormal length and size that grow
 * with every turn; a provider whose tokenizer counts otherwise than ours, by conversation and by call; a share saved
 * that varies by conversation. The truth is what the same world comes to over a million calls an arm.
 */
interface World {
  name: string;
  /** Of conversations. */
  holdoutShare: number;
  /** Sigma of the logarithm of a conversation's first tokens, and of its number of calls. */
  sizeSigma: number;
  lengthSigma: number;
  lengthMedian: number;
  /** What a saver takes off: mean and sigma of the logarithm. */
  savedShare: number;
  savedSigma: number;
  /** Sigma of the logarithm of the provider's count over ours, by conversation. */
  tokenizerSigma: number;
}

const WORLD: World = { name: 'usual', holdoutShare: 0.05, sizeSigma: 1, lengthSigma: 0.8, lengthMedian: 3.3, savedShare: 0.25, savedSigma: 0.6, tokenizerSigma: 0.05 };

const WORLDS: World[] = [
  WORLD,
  { ...WORLD, name: 'half of it held out', holdoutShare: 0.5 },
  { ...WORLD, name: 'nothing saved', savedShare: 0 },
  { ...WORLD, name: 'a loss', savedShare: -0.15 },
  { ...WORLD, name: 'few long conversations', lengthMedian: 9, lengthSigma: 1, holdoutShare: 0.2 },
  { ...WORLD, name: 'very unequal sizes', sizeSigma: 1.5 },
];

const RUNS = 1_000;
const CALLS_AN_ARM = 200;
const seen: string[] = [];

afterAll(() => console.info(`coverage of the 95 % interval over ${RUNS} seeded runs:\n${seen.join('\n')}`));

test.each(WORLDS.map((world) => [world.name, world] as const))('the interval covers the truth in 93 to 97 %: %s', (_, world) => {
  const truth = truthOf(world);
  let covered = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const { treated, holdout } = drawn(world, seed, CALLS_AN_ARM);
    const made = estimateSavings([{ treated: sumArm(treated), holdout: sumArm(holdout) }])!;
    const expected = truth * sumArm(treated).received;
    if (made.low <= expected && expected <= made.high) covered++;
  }
  seen.push(`  ${world.name}: ${((covered / RUNS) * 100).toFixed(1)} %`);
  expect(covered / RUNS).toBeGreaterThanOrEqual(0.93);
  expect(covered / RUNS).toBeLessThanOrEqual(0.97);
});

/** Billed for each token received: how much less in the treated arm. */
function truthOf(world: World): number {
  const { treated, holdout } = drawn({ ...world, holdoutShare: 0.5 }, 0, 1_000_000);
  const [t, h] = [sumArm(treated), sumArm(holdout)];
  return h.billed / h.received - t.billed / t.received;
}

/** Conversations as they come, until each arm has this many calls. */
function drawn(world: World, seed: number, callsAnArm: number): { treated: Conversation[]; holdout: Conversation[] } {
  const random = mulberry32(seed * 2_654_435_761);
  const arms = { treated: [] as Conversation[], holdout: [] as Conversation[] };
  const calls = { treated: 0, holdout: 0 };
  while (calls.treated < callsAnArm || calls.holdout < callsAnArm) {
    const arm = random() < world.holdoutShare ? 'holdout' : 'treated';
    const conversation = one(world, random, arm === 'treated');
    calls[arm] += conversation.calls;
    arms[arm].push(conversation);
  }
  return arms;
}

function one(world: World, random: () => number, treated: boolean): Conversation {
  const lognormal = (median: number, sigma: number) => median * Math.exp(sigma * gauss(random));
  const length = Math.max(1, Math.round(lognormal(world.lengthMedian, world.lengthSigma)));
  const size = lognormal(1_100, world.sizeSigma);
  const saved = Math.min(0.95, world.savedShare * lognormal(Math.exp(-(world.savedSigma ** 2) / 2), world.savedSigma));
  const counted = lognormal(1.13, world.tokenizerSigma);
  let received = 0;
  let billed = 0;
  for (let turn = 0; turn < length; turn++) {
    const tokens = size * (1 + 0.3 * turn) * lognormal(1, 0.2);
    received += tokens;
    billed += tokens * (treated ? 1 - saved : 1) * counted * lognormal(1, 0.05) + 50;
  }
  return { calls: length, received, billed };
}

const gauss = (random: () => number): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
