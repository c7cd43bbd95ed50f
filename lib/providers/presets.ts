import { NO_QUIRKS, type Quirks } from './quirks';
import type { Wire } from './registry';

/** What a new connection can be made from. The only list of providers that the product knows by name. */
export interface Preset {
  /** Stored with the connection and shown as X-Ohm-Provider. Never renamed. */
  id: string;
  label: string;
  wire: Wire;
  kind: 'http' | 'sandbox';
  /** Root to which the wire adds its own path; null where it must be typed in. */
  baseUrl: string | null;
  /** An example where `baseUrl` is null. */
  baseUrlExample: string | null;
  key: 'required' | 'optional' | 'none';
  /** Where to get a key. */
  keyUrl: string | null;
  /** What is peculiar, in one sentence for people. */
  note: string | null;
  /** How the vendor differs from the wire. */
  quirks?: Quirks;
}

export const presets: readonly Preset[] = [
  hosted('openai', 'OpenAI', 'https://api.openai.com/v1', 'https://platform.openai.com/api-keys'),
  hosted('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/keys', 'Model names carry their vendor, such as openai/gpt-4o-mini.'),
  {
    ...hosted('azure', 'Azure OpenAI', null, 'https://portal.azure.com', 'The model name is the name of your deployment.'),
    baseUrlExample: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
  },
  hosted('gemini', 'Google Gemini (OpenAI-compatible)', 'https://generativelanguage.googleapis.com/v1beta/openai', 'https://aistudio.google.com/apikey'),
  hosted('groq', 'Groq', 'https://api.groq.com/openai/v1', 'https://console.groq.com/keys'),
  hosted('mistral', 'Mistral', 'https://api.mistral.ai/v1', 'https://console.mistral.ai/api-keys'),
  hosted('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'https://platform.deepseek.com/api_keys', 'Sends keep-alive comments while it is busy; they are no content.'),
  hosted('xai', 'xAI', 'https://api.x.ai/v1', 'https://console.x.ai', 'Reports completion tokens without reasoning; the ledger adds them.'),
  hosted('together', 'Together AI', 'https://api.together.xyz/v1', 'https://api.together.ai/settings/api-keys'),
  hosted('fireworks', 'Fireworks AI', 'https://api.fireworks.ai/inference/v1', 'https://fireworks.ai/account/api-keys'),
  hosted('cerebras', 'Cerebras', 'https://api.cerebras.ai/v1', 'https://cloud.cerebras.ai'),
  hosted('perplexity', 'Perplexity', 'https://api.perplexity.ai', 'https://www.perplexity.ai/settings/api'),
  hosted('moonshot', 'Moonshot AI', 'https://api.moonshot.ai/v1', 'https://platform.moonshot.ai/console/api-keys'),
  hosted('alibaba', 'Alibaba Cloud (Qwen)', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'https://bailian.console.alibabacloud.com'),
  selfHosted('ollama', 'Ollama', 'http://127.0.0.1:11434/v1'),
  selfHosted('vllm', 'vLLM', 'http://127.0.0.1:8000/v1'),
  {
    id: 'custom',
    label: 'Any OpenAI-compatible server',
    wire: 'openai',
    kind: 'http',
    baseUrl: null,
    baseUrlExample: 'https://llm.example.com/v1',
    key: 'optional',
    keyUrl: null,
    note: 'Calls have no known price.',
  },
  {
    id: 'sandbox',
    label: 'Sandbox',
    wire: 'openai',
    kind: 'sandbox',
    baseUrl: null,
    baseUrlExample: null,
    key: 'none',
    keyUrl: null,
    note: 'Built in, no account needed, and no language model: it answers and fails on command.',
  },
];

/** How a preset's vendor differs from its wire. */
export const quirksOf = (provider: string): Quirks => presetById(provider)?.quirks ?? NO_QUIRKS;

export const presetById = (id: string): Preset | null => byId.get(id) ?? null;

const byId = new Map(presets.map((preset) => [preset.id, preset]));

function hosted(id: string, label: string, baseUrl: string | null, keyUrl: string, note: string | null = null): Preset {
  return { id, label, wire: 'openai', kind: 'http', baseUrl, baseUrlExample: null, key: 'required', keyUrl, note };
}

function selfHosted(id: string, label: string, baseUrlExample: string): Preset {
  const note = 'Runs on your own machine: its address must be opened with OHM_ALLOW_PRIVATE_UPSTREAMS.';
  return { id, label, wire: 'openai', kind: 'http', baseUrl: null, baseUrlExample, key: 'optional', keyUrl: null, note };
}
