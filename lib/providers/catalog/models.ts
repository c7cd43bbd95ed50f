import type { Ability, CatalogModel } from './catalog';

/**
 * The facts that no price list has. Context, longest answer, abilities and retirement dates are the vendors' own, from
 * the model pages and model lists named above each block, as of November 2026; prices are not here (see stated-prices
 * and lib/metering/prices).
 */
export const MODELS: readonly CatalogModel[] = [
  // https://developers.openai.com/api/docs/models
  ...of('openai', 'GENERAL', [
    ['gpt-6-sol', 'GPT-6 Sol', 1_050_000, 128_000],
    ['gpt-6-luna', 'GPT-6 Luna', 1_050_000, 128_000],
    ['gpt-6-astra', 'GPT-6 Astra', 1_050_000, 128_000],
    ['gpt-5.6-sol', 'GPT-5.6 Sol', 1_050_000, 128_000],
    ['gpt-5.6-terra', 'GPT-5.6 Terra', 1_050_000, 128_000],
    ['gpt-5.6-luna', 'GPT-5.6 Luna', 1_050_000, 128_000],
    ['gpt-5.5', 'GPT-5.5', 1_050_000, 128_000],
    ['gpt-5.4', 'GPT-5.4', 1_050_000, 128_000],
    ['gpt-5.4-mini', 'GPT-5.4 mini', 400_000, 128_000],
    ['gpt-5.4-nano', 'GPT-5.4 nano', 400_000, 128_000, '2027-04-01'],
    ['gpt-5.2', 'GPT-5.2', 400_000, 128_000],
    ['gpt-5.1', 'GPT-5.1', 400_000, 128_000, '2027-04-01'],
    ['gpt-5', 'GPT-5', 400_000, 128_000, '2026-12-11'],
    ['gpt-5-mini', 'GPT-5 mini', 400_000, 128_000, '2026-12-11'],
    ['gpt-5-nano', 'GPT-5 nano', 400_000, 128_000, '2026-12-11'],
    ['o3', 'o3', 200_000, 100_000, '2026-12-11'],
  ]),
  ...of('openai', 'QUICK', [
    ['gpt-4.1', 'GPT-4.1', 1_047_576, 32_768, '2027-01-14'],
    ['gpt-4.1-mini', 'GPT-4.1 mini', 1_047_576, 32_768, '2027-01-14'],
    ['gpt-4o', 'GPT-4o', 128_000, 16_384, '2027-01-14'],
    ['gpt-4o-mini', 'GPT-4o mini', 128_000, 16_384, '2027-01-14'],
  ]),
  // https://platform.claude.com/docs/en/about-claude/models/overview
  ...of('anthropic', 'WHEN_ASKED', [
    ['claude-fable-5-1', 'Claude Fable 5.1', 1_000_000, 128_000],
    ['claude-fable-5', 'Claude Fable 5', 1_000_000, 128_000],
    ['claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000],
    ['claude-opus-5', 'Claude Opus 5', 1_000_000, 128_000],
    ['claude-opus-4-8', 'Claude Opus 4.8', 1_000_000, 128_000],
    ['claude-opus-4-7', 'Claude Opus 4.7', 1_000_000, 128_000],
    ['claude-opus-4-6', 'Claude Opus 4.6', 1_000_000, 128_000],
    ['claude-opus-4-5', 'Claude Opus 4.5', 200_000, 64_000],
    ['claude-sonnet-5', 'Claude Sonnet 5', 1_000_000, 128_000],
    ['claude-sonnet-4-6', 'Claude Sonnet 4.6', 1_000_000, 128_000],
    ['claude-sonnet-4-5', 'Claude Sonnet 4.5', 200_000, 64_000, '2026-11-30'],
    ['claude-haiku-4-5', 'Claude Haiku 4.5', 200_000, 64_000],
  ]),
  // https://ai.google.dev/gemini-api/docs/models
  ...of('google', 'EVERYTHING', [
    ['gemini-3.8-flash', 'Gemini 3.8 Flash', 1_048_576, 65_536],
    ['gemini-3.7-flash', 'Gemini 3.7 Flash', 1_048_576, 65_536],
    ['gemini-3.6-flash', 'Gemini 3.6 Flash', 1_048_576, 65_536],
    ['gemini-3.5-flash', 'Gemini 3.5 Flash', 1_048_576, 65_536],
    ['gemini-3.1-pro-preview', 'Gemini 3.1 Pro (preview)', 1_048_576, 65_536],
    ['gemini-3-flash-preview', 'Gemini 3 Flash (preview)', 1_048_576, 65_536],
    ['gemini-2.5-pro', 'Gemini 2.5 Pro', 1_048_576, 65_536, '2026-12-01'],
    ['gemini-2.5-flash', 'Gemini 2.5 Flash', 1_048_576, 65_536, '2026-12-01'],
  ]),
  ...of('google', 'EVERYTHING_WHEN_ASKED', [
    ['gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', 1_048_576, 65_536],
    ['gemini-3.1-flash-lite', 'Gemini 3.1 Flash-Lite', 1_048_576, 65_536, '2027-05-07'],
    ['gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', 1_048_576, 65_536],
  ]),
  // https://docs.mistral.ai/models
  ...of('mistral', 'LOOKS_AND_REASONS_WHEN_ASKED', [
    ['mistral-large-4-0', 'Mistral Large 4', 1_048_576, 1_048_576],
    ['mistral-medium-3-5', 'Mistral Medium 3.5', 262_144, 262_144, '2027-04-30'],
    ['mistral-small-2603', 'Mistral Small 4', 262_144, 262_144],
  ]),
  ...of('mistral', 'LOOKS', [
    ['mistral-large-2512', 'Mistral Large 3', 262_144, 262_144, '2027-04-30'],
    ['ministral-14b-2512', 'Ministral 3 14B', 262_144, 262_144],
    ['ministral-8b-2512', 'Ministral 3 8B', 262_144, 262_144],
    ['ministral-3b-2512', 'Ministral 3 3B', 131_072, 131_072],
  ]),
  ...of('mistral', 'READS', [
    ['codestral-2508', 'Codestral 25.08', 128_000, 128_000],
    ['devstral-2512', 'Devstral 2', 262_144, 262_144],
  ]),
  // https://api-docs.deepseek.com/quick_start/pricing
  ...of('deepseek', 'READS_AND_REASONS', [['deepseek-v4-pro', 'DeepSeek V4 Pro', 1_000_000, 393_216]]),
  ...of('deepseek', 'LOOKS_AND_REASONS', [['deepseek-v4-flash', 'DeepSeek V4 Flash', 1_000_000, 393_216]]),
  // https://docs.x.ai/docs/models
  ...of('xai', 'LOOKS_AND_REASONS', [
    ['grok-4.7', 'Grok 4.7', 500_000, 500_000],
    ['grok-4.6', 'Grok 4.6', 500_000, 500_000],
    ['grok-4.5', 'Grok 4.5', 500_000, 500_000],
    ['grok-4.3', 'Grok 4.3', 1_000_000, 1_000_000],
    ['grok-4.20', 'Grok 4.20', 1_000_000, 1_000_000],
    ['grok-build-0.1', 'Grok Build 0.1', 256_000, 256_000],
  ]),
  // https://platform.kimi.ai/docs/pricing/chat
  ...of('moonshot', 'LOOKS_AND_REASONS', [
    ['kimi-k3.1-pro', 'Kimi K3.1 Pro', 1_048_576, 1_048_576],
    ['kimi-k3', 'Kimi K3', 1_048_576, 1_048_576],
    ['kimi-k2.7-code', 'Kimi K2.7 Code', 262_144, 262_144],
    ['kimi-k2.6', 'Kimi K2.6', 262_144, 262_144],
  ]),
  // https://docs.perplexity.ai/models/model-cards
  ...of('perplexity', 'PLAIN', [
    ['sonar', 'Sonar', 128_000, 128_000],
    ['sonar-pro', 'Sonar Pro', 200_000, 8_000],
  ]),
  ...of('perplexity', 'REASONS', [
    ['sonar-reasoning-pro', 'Sonar Reasoning Pro', 128_000, 128_000],
    ['sonar-deep-research', 'Sonar Deep Research', 128_000, 128_000],
  ]),
  // https://console.groq.com/docs/models
  ...hostedAt('groq', 'READS_AND_REASONS', [
    ['openai/gpt-oss-120b', 'gpt-oss 120B', 131_072, 65_536],
    ['openai/gpt-oss-20b', 'gpt-oss 20B', 131_072, 65_536],
  ]),
  ...hostedAt('groq', 'LOOKS_AND_REASONS', [['qwen/qwen3.8-27b', 'Qwen 3.8 27B', 131_072, 16_384]]),
  // https://inference-docs.cerebras.ai/models/overview
  ...hostedAt('cerebras', 'READS_AND_REASONS', [['gpt-oss-120b', 'gpt-oss 120B', 131_072, 32_768]]),
  ...hostedAt('cerebras', 'LOOKS_AND_REASONS', [['qwen-3.8-27b', 'Qwen 3.8 27B', 65_536, 32_768]]),
  ...hostedAt('cerebras', 'LOOKS_AND_REASONS_WHEN_ASKED', [['gemma-4-31b', 'Gemma 4 31B', 131_072, 40_960]]),
  // https://docs.together.ai/docs/serverless-models
  ...hostedAt('together', 'READS_AND_REASONS', [
    ['openai/gpt-oss-120b', 'gpt-oss 120B', 131_072, 131_072],
    ['zai-org/GLM-5.3', 'GLM-5.3', 1_048_575, 128_000],
  ]),
  ...hostedAt('together', 'LOOKS_AND_REASONS', [
    ['zai-org/GLM-5.3-Flash', 'GLM-5.3 Flash', 1_048_575, 128_000],
    ['moonshotai/Kimi-K3', 'Kimi K3', 1_048_576, 1_048_576],
    ['deepseek-ai/DeepSeek-V4.1-Flash-1017', 'DeepSeek V4.1 Flash', 1_048_576, 1_048_576],
    ['Qwen/Qwen3.5-9B', 'Qwen 3.5 9B', 262_144, 262_144],
  ]),
  // https://fireworks.ai/models
  ...hostedAt('fireworks', 'LOOKS_AND_REASONS', [
    ['accounts/fireworks/models/kimi-k3', 'Kimi K3', 1_048_576, 131_072],
    ['accounts/fireworks/models/minimax-m3', 'MiniMax M3', 512_000, 512_000],
    ['accounts/fireworks/models/qwen3p7-plus', 'Qwen 3.7 Plus', 262_144, 65_536],
  ]),
  ...hostedAt('fireworks', 'READS_AND_REASONS', [
    ['accounts/fireworks/models/deepseek-v3p2', 'DeepSeek V3.2', 163_840, 163_840],
    ['accounts/fireworks/models/gpt-oss-20b', 'gpt-oss 20B', 131_072, 32_768],
  ]),
];

/** Name at the vendor, name for people, context, longest answer, retirement. */
type Row = [model: string, label: string, contextTokens: number, maxOutputTokens: number, retires?: string];

/** What models are like: read text, look at images, reason before every answer or only when asked. */
type Kind = { abilities: readonly Ability[]; thinks: boolean };

function kinds() {
  const reads: Ability[] = ['tools', 'json_schema'];
  const looks: Ability[] = [...reads, 'images'];
  const documents: Ability[] = [...looks, 'pdf'];
  return {
    PLAIN: { abilities: [], thinks: false },
    REASONS: { abilities: ['reasoning'], thinks: true },
    READS: { abilities: reads, thinks: false },
    READS_AND_REASONS: { abilities: [...reads, 'reasoning'], thinks: true },
    LOOKS: { abilities: looks, thinks: false },
    LOOKS_AND_REASONS: { abilities: [...looks, 'reasoning'], thinks: true },
    LOOKS_AND_REASONS_WHEN_ASKED: { abilities: [...looks, 'reasoning'], thinks: false },
    QUICK: { abilities: documents, thinks: false },
    WHEN_ASKED: { abilities: [...documents, 'reasoning'], thinks: false },
    GENERAL: { abilities: [...documents, 'reasoning'], thinks: true },
    EVERYTHING: { abilities: [...documents, 'audio', 'reasoning'], thinks: true },
    EVERYTHING_WHEN_ASKED: { abilities: [...documents, 'audio', 'reasoning'], thinks: false },
  } satisfies Record<string, Kind>;
}

/** A vendor's own models. */
function of(vendor: string, kind: keyof ReturnType<typeof kinds>, rows: Row[]): CatalogModel[] {
  const { abilities, thinks } = kinds()[kind];
  return rows.map(([model, label, contextTokens, maxOutputTokens, retires = null]) => ({
    id: model,
    label,
    vendor,
    model,
    contextTokens,
    maxOutputTokens,
    abilities: new Set(abilities),
    thinks,
    retires,
  }));
}

/** Open models at a host, whose long paths a client need not write. */
function hostedAt(host: string, kind: keyof ReturnType<typeof kinds>, rows: Row[]): CatalogModel[] {
  return of(host, kind, rows).map((entry) => ({ ...entry, id: `${host}/${entry.model.replace('accounts/fireworks/models/', '')}` }));
}
