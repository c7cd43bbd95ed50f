/**
 * A way of spelling requests and answers. Wires (lib/providers) and surfaces (lib/surfaces) share these names: where
 * a client and a tier speak the same one, bytes are passed through instead of translated.
 */
export const DIALECTS = ['openai', 'anthropic', 'gemini', 'openai-responses'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** What a request wants done. `chat` is translated between dialects; the others need a tier whose wire has them. */
export type Operation = 'chat' | 'embeddings' | 'count_tokens';
