/** Working code for one call through the gateway: the home page, the key dialog and the checklist show the same. */
export interface Snippet {
  id: 'curl' | 'javascript' | 'python';
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
  ];
}

/** What the dialog offers as a download: read by dotenv and docker. */
export const envFile = (origin: string, key: string): string => `${KEY_VARIABLE}=${key}
# Clients made for OpenAI read these names instead:
# OPENAI_BASE_URL=${origin}/v1
# OPENAI_API_KEY=<the same key>
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
