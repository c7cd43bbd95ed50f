/** How a vendor differs from the wire it speaks. Data: a preset names them, an adapter obeys them. Empty for most. */
export interface Quirks {
  /** Header that carries the key, where it is not the wire's own. The value is the bare key. */
  keyHeader?: string;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** False: the vendor rejects `stream_options`, or sends usage anyway. */
  streamOptions?: boolean;
  /**
   * The only member by which this vendor bounds an answer, where it does not know `max_completion_tokens`. Obeyed in
   * requests that are translated; a client that speaks the vendor's own wire is passed on as it wrote.
   */
  outputLimit?: 'max_tokens';
}

export const NO_QUIRKS: Quirks = Object.freeze({});

/** https://learn.microsoft.com/azure/ai-foundry/openai/reference */
export const AZURE: Quirks = Object.freeze({ keyHeader: 'api-key' });

/** Documents `max_tokens` alone. */
export const MAX_TOKENS: Quirks = Object.freeze({ outputLimit: 'max_tokens' });

/** Refuses members that it does not know, and puts usage into the last frame of every stream. */
export const MISTRAL: Quirks = Object.freeze({ streamOptions: false, outputLimit: 'max_tokens' });

/** Usage stands on every frame of every stream. */
export const PERPLEXITY: Quirks = Object.freeze({ streamOptions: false, outputLimit: 'max_tokens' });
