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
