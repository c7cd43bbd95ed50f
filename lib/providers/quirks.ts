import type { Operation } from '../wire';
import type { RareMember } from './openai/known-members';

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
  /** Members of translated messages that are passed on because this vendor knows them, for all that most do not. */
  knownMembers?: readonly RareMember[];
  /** What the wire can be asked for and this vendor cannot: its tiers are passed over then. */
  lacks?: readonly Operation[];
}

export const NO_QUIRKS: Quirks = Object.freeze({});

/** https://learn.microsoft.com/azure/ai-foundry/openai/reference */
export const AZURE: Quirks = Object.freeze<Quirks>({ keyHeader: 'api-key', knownMembers: ['prompt_cache_breakpoint'] });

/** https://platform.openai.com/docs/guides/prompt-caching */
export const OPENAI: Quirks = Object.freeze<Quirks>({ knownMembers: ['prompt_cache_breakpoint'] });

/** https://openrouter.ai/docs/guides/best-practices/reasoning-tokens: signed thinking goes back to whoever signed it. */
export const OPENROUTER: Quirks = Object.freeze<Quirks>({ knownMembers: ['reasoning_details'] });

/** https://ai.google.dev/gemini-api/docs/thought-signatures: in its OpenAI endpoint too. */
export const GEMINI_COMPATIBLE: Quirks = Object.freeze<Quirks>({ knownMembers: ['extra_content'] });

/** Documents `max_tokens` alone. */
export const MAX_TOKENS: Quirks = Object.freeze({ outputLimit: 'max_tokens' });

/** Refuses members that it does not know, and puts usage into the last frame of every stream. */
export const MISTRAL: Quirks = Object.freeze({ streamOptions: false, outputLimit: 'max_tokens' });

/** Usage stands on every frame of every stream. */
export const PERPLEXITY: Quirks = Object.freeze({ streamOptions: false, outputLimit: 'max_tokens' });

export const SANDBOX: Quirks = Object.freeze<Quirks>({ lacks: ['embeddings'] });
