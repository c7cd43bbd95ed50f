interface Pair {
  connection: string;
  model: string;
}

/** `gpt-4o-mini on main`. */
export function modelWords({ connection, model }: Pair): string {
  return `${model.trim() || 'no model yet'} on ${connection || 'no connection yet'}`;
}

/** A tier in words: its model, or the candidates of which the cheapest is asked. */
export function tierWords(tier: Pair | { eco: Pair[] }): string {
  return 'eco' in tier ? `the cheapest of ${tier.eco.map(modelWords).join(', ')}` : modelWords(tier);
}

/** A refusal as a person reads it: the API names a tier by its path from 0 (`tiers.0.eco.1.model: …`), the page counts from 1. */
export function refusalWords(message: string): string {
  return message.replace(/^tiers\.(\d+)(?:\.eco\.(\d+))?[\w.]*(?=: )/, (_path, tier: string, candidate: string | undefined) => `Tier ${Number(tier) + 1}${candidate === undefined ? '' : `, candidate ${Number(candidate) + 1}`}`);
}
