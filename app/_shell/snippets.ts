/** Working code for one call through the gateway: the home page, the key dialog and the checklist show the same. */
export interface Snippet {
  id: 'curl' | 'javascript' | 'python' | 'anthropic' | 'claude-code' | 'ai-sdk' | 'langchain' | 'responses' | 'messages';
  label: string;
  text: string;
}

/** The one name of the variable that holds a gateway key, in everything that is shown or handed out. */
export const KEY_VARIABLE = 'OHM_API_KEY';

export function callSnippets({ origin, key = null, model = 'auto' }: {
  /** Public origin of this installation, without a trailing slash. */
  origin: string;
  /** The token, in the dialog that shows it once; null to read it from the environment. */
  key?: string | null;
  model?: string;
}): Snippet[] {
  return [
    { id: 'curl', label: 'curl', text: curl(origin, key, model) },
    { id: 'javascript', label: 'JavaScript', text: javascript(origin, key === null ? `process.env.${KEY_VARIABLE}` : `'${key}'`, model) },
    { id: 'python', label: 'Python', text: python(origin, key, model) },
    { id: 'anthropic', label: 'Anthropic SDK', text: anthropic(origin, key === null ? `process.env.${KEY_VARIABLE}` : `'${key}'`, model) },
    { id: 'claude-code', label: 'Claude Code', text: claudeCode(origin, key, model) },
  ];
}

/** The same for clients that the short list leaves out. */
export const moreClients = (origin: string): Snippet[] => [
  { id: 'ai-sdk', label: 'AI SDK', text: aiSdk(origin) },
  { id: 'langchain', label: 'LangChain', text: langchain(origin) },
  { id: 'messages', label: 'Messages by curl', text: messagesByCurl(origin) },
  { id: 'responses', label: 'Responses by curl', text: responsesByCurl(origin) },
];

/** What the dialog offers as a download: read by dotenv and docker. */
export const envFile = (origin: string, key: string): string => `${KEY_VARIABLE}=${key}
# Clients made for OpenAI read these names instead:
# OPENAI_BASE_URL=${origin}/v1
# OPENAI_API_KEY=<the same key>
# Clients made for Anthropic read these, the address without /v1:
# ANTHROPIC_BASE_URL=${origin}
# ANTHROPIC_AUTH_TOKEN=<the same key>
`;

const curl = (origin: string, key: string | null, model: string) => `${key === null ? `export ${KEY_VARIABLE}=ohm_sk_…\n\n` : ''}curl -N ${origin}/v1/chat/completions \\
  -H ${key === null ? `"Authorization: Bearer $${KEY_VARIABLE}"` : `'Authorization: Bearer ${key}'`} \\
  -H 'Content-Type: application/json' \\
  -d '{"model":"${model}","stream":true,
       "messages":[{"role":"user","content":"Hello"}]}'`;

const javascript = (origin: string, key: string, model: string) => `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: ${key} });

const stream = await client.chat.completions.create({
  model: '${model}',
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}`;

const python = (origin: string, key: string | null, model: string) => `${key === null ? 'import os\n\n' : ''}from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=${key === null ? `os.environ["${KEY_VARIABLE}"]` : `"${key}"`})

stream = client.chat.completions.create(
    model="${model}",
    stream=True,
    messages=[{"role": "user", "content": "Hello"}],
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")`;

const anthropic = (origin: string, key: string, model: string) => `import Anthropic from '@anthropic-ai/sdk';

// The address without /v1: this library adds it.
const client = new Anthropic({ baseURL: '${origin}', apiKey: ${key} });

const stream = client.messages.stream({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
});
for await (const event of stream) {
  if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') process.stdout.write(event.delta.text);
}`;

const claudeCode = (origin: string, key: string | null, model: string) => `export ANTHROPIC_BASE_URL=${origin}
export ANTHROPIC_AUTH_TOKEN=${key ?? `$${KEY_VARIABLE}`}
unset ANTHROPIC_API_KEY

# Which of your routes stand behind the names that it asks for.
export ANTHROPIC_DEFAULT_OPUS_MODEL=${model}
export ANTHROPIC_DEFAULT_SONNET_MODEL=${model}
export ANTHROPIC_DEFAULT_HAIKU_MODEL=${model}

claude`;

const aiSdk = (origin: string) =>
  [
    "import { createOpenAICompatible } from '@ai-sdk/openai-compatible';",
    "import { streamText } from 'ai';",
    '',
    `const ohm = createOpenAICompatible({ name: 'ohm', baseURL: '${origin}/v1', apiKey: process.env.${KEY_VARIABLE}, includeUsage: true });`,
    `// Or createAnthropic({ baseURL: '${origin}/v1', apiKey }) from @ai-sdk/anthropic.`,
    '',
    "const { fullStream } = streamText({ model: ohm('auto'), prompt: 'Hello', maxRetries: 0 });",
    'for await (const part of fullStream) {',
    "  if (part.type === 'text-delta') process.stdout.write(part.text);",
    "  if (part.type === 'error') throw part.error; // textStream alone would end quietly",
    '}',
  ].join('\n');

const langchain = (origin: string) => `import { ChatOpenAI } from '@langchain/openai';

const model = new ChatOpenAI({ model: 'auto', apiKey: process.env.${KEY_VARIABLE}, configuration: { baseURL: '${origin}/v1' }, maxRetries: 0 });

for await (const chunk of await model.stream('Hello')) process.stdout.write(chunk.text);`;

const messagesByCurl = (origin: string) => `curl -N ${origin}/v1/messages \\
  -H "x-api-key: $${KEY_VARIABLE}" -H 'anthropic-version: 2023-06-01' -H 'Content-Type: application/json' \\
  -d '{"model":"auto","max_tokens":1024,"stream":true,
       "messages":[{"role":"user","content":"Hello"}]}'`;

const responsesByCurl = (origin: string) => `curl -N ${origin}/v1/responses \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" -H 'Content-Type: application/json' \\
  -d '{"model":"auto","stream":true,"input":"Hello"}'`;
