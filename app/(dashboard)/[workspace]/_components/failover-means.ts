/** What the sums count as a failover, on every page that shows them: tiers that were only skipped, retries of the same tier and replays are none. */
export const FAILOVER_MEANS = 'a tier failed, a later one answered';
