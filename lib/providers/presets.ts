import { AZURE, GEMINI_COMPATIBLE, MAX_TOKENS, MISTRAL, NO_QUIRKS, OPENAI, OPENROUTER, PERPLEXITY, SANDBOX, type Quirks } from './quirks';
import { WIRES, type Wire } from './registry';

/** What a new connection can be made from. */
export interface Preset {
  /** Stored with the connection and shown as X-Ohm-Provider. Never renamed. */
  id: string;
  label: string;
  /** What the vendor speaks; of `custom` the one that is taken when none is said. */
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
  /** Whose catalog models a connection of this preset serves; null where models are called as their owner likes. */
  catalog: string | null;
}

const KNOWN: readonly Preset[] = [
  { ...hosted('openai', 'OpenAI', 'https://api.openai.com/v1', 'https://platform.openai.com/api-keys'), quirks: OPENAI },
  { ...hosted('openai-responses', 'OpenAI (Responses API)', 'https://api.openai.com/v1', 'https://platform.openai.com/api-keys', 'The same account and models, asked through /responses.'), wire: 'openai-responses', catalog: 'openai' },
  { ...hosted('anthropic', 'Anthropic', 'https://api.anthropic.com/v1', 'https://console.anthropic.com/settings/keys'), wire: 'anthropic' },
  { ...hosted('google', 'Google Gemini', 'https://generativelanguage.googleapis.com/v1beta', 'https://aistudio.google.com/apikey'), wire: 'gemini' },
  { ...hosted('gemini', 'Google Gemini (OpenAI-compatible)', 'https://generativelanguage.googleapis.com/v1beta/openai', 'https://aistudio.google.com/apikey'), quirks: GEMINI_COMPATIBLE, catalog: 'google' },
  {
    ...hosted('azure', 'Azure OpenAI', null, 'https://portal.azure.com', 'The model name is the name of your deployment.'),
    baseUrlExample: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    quirks: AZURE,
    catalog: null,
  },
  { ...hosted('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/keys', 'Model names carry their vendor, such as openai/gpt-4o-mini.'), quirks: OPENROUTER, catalog: null },
  hosted('groq', 'Groq', 'https://api.groq.com/openai/v1', 'https://console.groq.com/keys'),
  { ...hosted('mistral', 'Mistral', 'https://api.mistral.ai/v1', 'https://console.mistral.ai/api-keys'), quirks: MISTRAL },
  { ...hosted('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'https://platform.deepseek.com/api_keys', 'Sends keep-alive comments while it is busy; they are no content.'), quirks: MAX_TOKENS },
  hosted('xai', 'xAI', 'https://api.x.ai/v1', 'https://console.x.ai', 'Reports completion tokens without reasoning; the ledger adds them.'),
  { ...hosted('together', 'Together AI', 'https://api.together.xyz/v1', 'https://api.together.ai/settings/api-keys'), quirks: MAX_TOKENS },
  { ...hosted('fireworks', 'Fireworks AI', 'https://api.fireworks.ai/inference/v1', 'https://fireworks.ai/account/api-keys'), quirks: MAX_TOKENS },
  hosted('cerebras', 'Cerebras', 'https://api.cerebras.ai/v1', 'https://cloud.cerebras.ai'),
  { ...hosted('perplexity', 'Perplexity', 'https://api.perplexity.ai', 'https://www.perplexity.ai/settings/api', 'Searches the web for each answer, at a price for each request besides the tokens.'), quirks: PERPLEXITY },
  hosted('moonshot', 'Moonshot AI', 'https://api.moonshot.ai/v1', 'https://platform.moonshot.ai/console/api-keys'),
  { ...hosted('alibaba', 'Alibaba Cloud (Qwen)', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', 'https://bailian.console.alibabacloud.com'), quirks: MAX_TOKENS, catalog: null },
  selfHosted('ollama', 'Ollama', 'http://127.0.0.1:11434/v1'),
  selfHosted('lmstudio', 'LM Studio', 'http://127.0.0.1:1234/v1'),
  selfHosted('vllm', 'vLLM', 'http://127.0.0.1:8000/v1'),
  {
    id: 'custom',
    label: 'Any other server',
    wire: 'openai',
    kind: 'http',
    baseUrl: null,
    baseUrlExample: 'https://llm.example.com/v1',
    key: 'optional',
    keyUrl: null,
    note: 'Whatever speaks one of these protocols. Its calls have no known price until you state one.',
    catalog: null,
  },
  {
    id: 'sandbox',
    label: 'Sandbox',
    wire: 'openai',
    kind: 'sandbox',
    quirks: SANDBOX,
    baseUrl: null,
    baseUrlExample: null,
    key: 'none',
    keyUrl: null,
    note: 'Built in, no account needed, and no language model: it answers and fails on command.',
    catalog: null,
  },
];

/** The only list of providers that the product knows by name. A vendor whose wire has no adapter is not offered. */
export const presets: readonly Preset[] = KNOWN.filter(({ wire }) => WIRES.includes(wire));

/** The protocols by the names that people know, and what each adds to a base URL. */
export const WIRE_WORDS: Readonly<Record<Wire, { label: string; path: string }>> = {
  openai: { label: 'OpenAI chat completions', path: '/chat/completions' },
  anthropic: { label: 'Anthropic messages', path: '/messages' },
  gemini: { label: 'Google generateContent', path: '/models/…:generateContent' },
  'openai-responses': { label: 'OpenAI responses', path: '/responses' },
};

/** How a preset's vendor differs from its wire. */
export const quirksOf = (provider: string): Quirks => presetById(provider)?.quirks ?? NO_QUIRKS;

export const presetById = (id: string): Preset | null => byId.get(id) ?? null;

const byId = new Map(presets.map((preset) => [preset.id, preset]));

function hosted(id: string, label: string, baseUrl: string | null, keyUrl: string, note: string | null = null): Preset {
  return { id, label, wire: 'openai', kind: 'http', baseUrl, baseUrlExample: null, key: 'required', keyUrl, note, catalog: id };
}

function selfHosted(id: string, label: string, baseUrlExample: string): Preset {
  const note = 'Runs on your own machine: its address must be opened with OHM_ALLOW_PRIVATE_UPSTREAMS.';
  return { id, label, wire: 'openai', kind: 'http', baseUrl: null, baseUrlExample, key: 'optional', keyUrl: null, note, catalog: null };
}
