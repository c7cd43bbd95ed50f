import type { Proof } from './proofs';

/** The sections of the page about APIs, in order; each is an anchor that claims point to. */
export const API_SECTIONS = ['endpoints', 'clients', 'same-api', 'translation', 'losses', 'signatures', 'api-errors', 'api-headers', 'mcp', 'api-proofs'] as const;
export type ApiSection = (typeof API_SECTIONS)[number];

const REQUESTS = 'lib/gateway/translation/requests.test.ts';
const ANSWERS = 'lib/gateway/translation/answers.test.ts';
const SIGNATURES = 'lib/gateway/translation/signatures.test.ts';
const CLIENTS = 'e2e/clients/clients.test.ts';
const SCENARIOS = 'e2e/clients/scenarios.ts';
const MESSAGES = 'e2e/anthropic-sdk.test.ts';
const MORE = 'e2e/openai-sdk-more.test.ts';
const MCP = 'e2e/mcp.test.ts';
const READINESS = 'lib/gateway/readiness.test.ts';

export const API_PROOFS: readonly Proof<ApiSection>[] = [
  { section: 'clients', promise: 'Six client libraries, in front of a provider of each of four wires, through both doors.', file: CLIENTS, test: 'in front of …' },
  { section: 'clients', promise: 'A tier of one wire that dies before its content is replaced by one of another.', file: SCENARIOS, test: 'failover to another wire before content' },
  { section: 'clients', promise: 'A cut after content raises in every library.', file: SCENARIOS, test: 'a cut after content is an error, and nobody else is asked' },
  { section: 'clients', promise: 'Calls of several tools and their results make the round trip.', file: SCENARIOS, test: 'parallel tools and their results' },
  { section: 'endpoints', promise: 'Tokens are counted by the first tier that can.', file: MESSAGES, test: 'tokens are counted by who can' },
  { section: 'endpoints', promise: 'Old completions are answered by a chat.', file: MORE, test: 'old completions are answered by a chat, streamed and whole' },
  { section: 'endpoints', promise: 'Embeddings are the provider’s own.', file: MORE, test: 'embeddings are the provider’s own, after a tier that has none' },
  { section: 'endpoints', promise: 'What would need kept answers is refused by name.', file: MORE, test: 'what needs kept answers is refused by name' },
  { section: 'same-api', promise: 'A coding agent’s request reaches Anthropic as it was written, betas included.', file: MESSAGES, test: 'a coding agent’s request reaches Anthropic as it was written' },
  { section: 'translation', promise: 'Each line of the first table, from every API to every wire, streamed and whole.', file: REQUESTS, test: '… gets through, or is named' },
  { section: 'translation', promise: 'Each line of the second, from every wire to every API.', file: ANSWERS, test: '… is read as it was said' },
  { section: 'translation', promise: 'The tables say what those tests hold.', file: 'lib/claims/translation.test.ts', test: 'the page tells of nothing that is not tested' },
  { section: 'signatures', promise: 'Signed thinking comes back to its provider unchanged.', file: SIGNATURES, test: 'it comes back unchanged (streamed: …)' },
  { section: 'signatures', promise: 'It goes to no other, and that is said.', file: SIGNATURES, test: 'it does not go to …, and that is said' },
  { section: 'mcp', promise: 'The protocol’s own client finds the tool without a key, and is told what to do when it asks without one.', file: MCP, test: 'without a key the tool is listed, and asking it says what to do' },
  { section: 'mcp', promise: 'A tier that failed is reported as passed over; nobody is asked for that, and no row is written.', file: MCP, test: 'a tier that failed is passed over, and saying so asks nobody and books nothing' },
  { section: 'mcp', promise: 'A key learns of its own workspace’s routes alone, and no address or secret.', file: MCP, test: 'a key learns of its own workspace alone, and of no address or secret' },
  { section: 'mcp', promise: 'What it says of a tier is what a walk would do.', file: READINESS, test: 'what is said of each tier is what the next call does' },
];
