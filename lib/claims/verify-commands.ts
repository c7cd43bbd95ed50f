/**
 * Commands with which anyone can check the contract against a running installation. verify-commands.db.test.ts
 * runs each of them in a shell and looks for `expect` in what comes out.
 */
export interface VerifyCommand {
  id: string;
  title: string;
  /** Needs a key of a workspace with a sandbox connection and direct models. */
  needsKey: boolean;
  /** What to look for, in words. */
  look: string;
  /** What has to be in the output, and what must not. */
  expect: readonly RegExp[];
  forbid: readonly RegExp[];
  /** `base` is the installation's public URL; the key is in $OHM_API_KEY. */
  command(base: string): string;
}

const chat = (model: string, flags: string, extra = '') => (base: string): string =>
  `curl -sS ${flags} ${base}/v1/chat/completions \\\n  -H "Authorization: Bearer $OHM_API_KEY" -H "Content-Type: application/json" ${extra === '' ? '' : `${extra} `}\\\n  -d '{"model":"${model}","stream":true,"messages":[{"role":"user","content":"Hello"}]}'`;

export const VERIFY_COMMANDS: readonly VerifyCommand[] = [
  {
    id: 'failover',
    title: 'A failover before the first byte',
    needsKey: true,
    look: 'The route “demo” of a new workspace has a first tier that answers 503 and a second that answers. Status 200, X-Ohm-Tier: 2, one answer, [DONE].',
    command: chat('demo', '-iN'),
    expect: [/HTTP\/1\.1 200/, /x-ohm-tier: 2/i, /x-ohm-stream-failover: pre-first-byte/i, /data: \[DONE\]/],
    forbid: [/"error"/],
  },
  {
    id: 'truncation',
    title: 'A stream that is cut after content',
    needsKey: true,
    look: 'Five tokens, then a frame with code stream_truncated, no [DONE], and curl exits with 0 because the body ended cleanly.',
    command: chat('sandbox/text:5,reset', '-iN'),
    expect: [/HTTP\/1\.1 200/, /" 5"/, /"code":"stream_truncated"/],
    forbid: [/\[DONE\]/],
  },
  {
    id: 'complete',
    title: 'The same, held until it is whole',
    needsKey: true,
    look: 'With the commit policy “complete” nothing was sent before the cut, so there is an honest status instead of half an answer.',
    command: chat('sandbox/text:5,reset', '-iN', '-H "X-Ohm-Commit: complete"'),
    expect: [/HTTP\/1\.1 502/, /x-should-retry: false/i, /"class":"cut"/],
    forbid: [/text\/event-stream/, /" 5"/],
  },
  {
    id: 'preamble',
    title: 'A provider that opens the stream and dies',
    needsKey: true,
    look: 'Headers and a role frame came from the provider, and none of it reaches you: status 502.',
    command: chat('sandbox/headers,role,preamble:3,reset', '-iN'),
    expect: [/HTTP\/1\.1 502/, /"state":"failed","bytes":0/],
    forbid: [/"role":"assistant"/],
  },
  {
    id: 'refusal',
    title: 'A refusal is not routed around',
    needsKey: true,
    look: 'The provider’s own status and message.',
    command: chat('sandbox/status:400,code:content_policy_violation', '-iN'),
    expect: [/HTTP\/1\.1 400/, /content_policy_violation/],
    forbid: [/\[DONE\]/],
  },
  {
    id: 'usage',
    title: 'Usage that nobody reported is called an estimate',
    needsKey: true,
    look: 'The provider reports no usage; the chunk before [DONE] carries an estimate, and the call in the dashboard says so.',
    command: chat('sandbox/text:8,no-usage', '-N'),
    expect: [/"usage":\{/, /\[DONE\]/],
    forbid: [/"error"/],
  },
  {
    id: 'models',
    title: 'What the key may use',
    needsKey: true,
    look: 'The routes and models of this key, and nothing else.',
    command: (base) => `curl -sS ${base}/v1/models -H "Authorization: Bearer $OHM_API_KEY"`,
    expect: [/"object":"list"/, /"demo"/],
    forbid: [],
  },
];

/** These need no key, and no test product without pages serves them: the journeys check them. */
export const PUBLIC_COMMANDS: readonly { title: string; look: string; command(base: string): string }[] = [
  { title: 'The claims and their evidence', look: 'Each claim with its status, the probe behind it, when it ran and what it saw.', command: (base) => `curl -sS ${base}/v1/public/honesty` },
  { title: 'Let it probe itself now', look: 'Takes a few seconds and answers with the fresh document; 429 when the last run was a moment ago.', command: (base) => `curl -sS -X POST ${base}/v1/public/honesty/run` },
  { title: 'Readiness', look: '200 when calls should be sent here, else 503, with each dependency by name.', command: (base) => `curl -sS -i ${base}/ready` },
];
