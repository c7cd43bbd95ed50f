/** Working code for one call through the gateway: the home page, the key dialog and the checklist show the same. */
export interface Snippet {
  id: 'curl' | 'javascript' | 'python';
  label: string;
  text: string;
}

export const KEY_PLACEHOLDER = 'ohm_sk_…';

export function callSnippets({ origin, key = KEY_PLACEHOLDER, model = 'auto' }: {
  /** Public origin of this installation, without a trailing slash. */
  origin: string;
  key?: string;
  model?: string;
}): Snippet[] {
  return [
    { id: 'curl', label: 'curl', text: curl(origin, key, model) },
    { id: 'javascript', label: 'JavaScript', text: javascript(origin, key, model) },
    { id: 'python', label: 'Python', text: python(origin, key, model) },
  ];
}

/** What the dialog offers as a download: read by dotenv, docker and the OpenAI SDKs alike. */
export const envFile = (origin: string, key: string): string => `OPENAI_BASE_URL=${origin}/v1\nOPENAI_API_KEY=${key}\n`;

const curl = (origin: string, key: string, model: string) => `curl -N ${origin}/v1/chat/completions \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"model":"${model}","stream":true,
       "messages":[{"role":"user","content":"Hello"}]}'`;

const javascript = (origin: string, key: string, model: string) => `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: '${key}' });

const stream = await client.chat.completions.create({
  model: '${model}',
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}`;

const python = (origin: string, key: string, model: string) => `from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key="${key}")

stream = client.chat.completions.create(
    model="${model}",
    stream=True,
    messages=[{"role": "user", "content": "Hello"}],
)
for chunk in stream:
    print(chunk.choices[0].delta.content or "", end="")`;
