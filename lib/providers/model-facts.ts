/** What the product has to know of named providers and models besides their wire. Data, kept in one place. */

/** Whose price list a preset's models are on: `stated` is a price of our own, null means that nobody knows. */
export type PriceSource = { kind: 'catalog'; provider: string } | { kind: 'stated'; version: string };

/**
 * The price list for a connection's preset. A `custom` connection has none: whoever runs that address may ask
 * what they like, whatever the model is called.
 */
export function priceSource(preset: string): PriceSource | null {
  if (preset === 'custom') return null;
  if (preset === 'sandbox') return { kind: 'stated', version: 'sandbox' }; // our own provider, which costs nothing
  return { kind: 'catalog', provider: CATALOG_NAMES[preset] ?? preset };
}

/**
 * Does a model of this name reason before it answers, so that its first content may be minutes away? By the
 * families that always do; those that do so on request are told by the request. An unknown model does not.
 */
export function thinksByName(model: string): boolean {
  const name = model.toLowerCase().split('/').at(-1)!;
  return !NEVER.test(name) && THINKING.test(name);
}

/** Presets whose name in the price catalog is another one. */
const CATALOG_NAMES: Record<string, string> = {
  'openai-responses': 'openai',
  gemini: 'google',
  xai: 'x-ai',
  bedrock: 'aws',
  moonshot: 'moonshotai',
};

const NEVER = /chat-latest|non-?thinking|non-?reasoning|instruct|audio|image|tts|embed|transcribe|realtime/;
const THINKING = new RegExp(
  [
    '^(openai\\.)?o[1345](-|$)', // o1, o3, o4-mini
    '^gpt-([5-9]|[1-9]\\d)', // gpt-5 and later
    '^gpt-oss',
    'reasoner|reasoning|thinking|think-',
    '(^|[-.])r1([-.:]|$)', // deepseek-r1 and what was distilled from it
    '^deep-research|-deep-research',
    '^gemini-(2\\.5|[3-9])(?!.*(flash-lite|lite))',
    '^grok-[4-9]|^grok-3-mini',
    '^qwq|^magistral',
    '^glm-[5-9]|^glm-4\\.[5-9]',
    '^minimax-m\\d',
  ].join('|'),
);
