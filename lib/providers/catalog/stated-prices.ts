/**
 * Prices that the packaged price list does not have yet, each with the vendor's page that states it. An entry is used
 * only while the list knows nothing of the model, so that a newer list wins by itself.
 */
export interface StatedPrice {
  /** The price list's name for the vendor. */
  list: string;
  model: string;
  /** Day from which it is known to hold (ISO 8601); calls before it have no known price. */
  from: string;
  /** US dollars a million tokens. */
  input: number;
  output: number;
  /** Null: cached tokens cost what others do. */
  cached: number | null;
}

/** Of this table, as it is noted with each cost. Grows with every change of a figure. */
export const STATED_PRICES_VERSION = 'ohm-prices@2026-11-30';

export const STATED_PRICES: readonly StatedPrice[] = [
  // https://docs.mistral.ai/models/mistral-large-4-0
  price('mistral', 'mistral-large-4-0', 0.7, 2.1, 0.07),
  // https://docs.x.ai/docs/models
  price('x-ai', 'grok-4.7', 2, 6, 0.5),
  // https://platform.kimi.ai/docs/pricing/chat
  price('moonshotai', 'kimi-k3.1-pro', 2, 10, 0.2),
  // https://console.groq.com/docs/model/qwen/qwen3.8-27b
  price('groq', 'qwen/qwen3.8-27b', 0.8, 4),
  // https://inference-docs.cerebras.ai/models/overview
  price('cerebras', 'qwen-3.8-27b', 0.99, 1.49),
  // https://www.together.ai/pricing
  price('together', 'openai/gpt-oss-120b', 0.15, 0.6),
  price('together', 'zai-org/GLM-5.3', 1.4, 4.4, 0.26),
  price('together', 'zai-org/GLM-5.3-Flash', 0.15, 0.5, 0.03),
  price('together', 'moonshotai/Kimi-K3', 3, 15, 0.3),
  price('together', 'deepseek-ai/DeepSeek-V4.1-Flash-1017', 0.3, 1.2, 0.006),
  price('together', 'Qwen/Qwen3.5-9B', 0.17, 0.25),
];

function price(list: string, model: string, input: number, output: number, cached: number | null = null): StatedPrice {
  return { list, model, from: '2026-11-01', input, output, cached };
}
