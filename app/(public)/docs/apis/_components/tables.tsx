import { Mono, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import { type Fate, TRANSLATED_ANSWERS, TRANSLATED_REQUESTS } from '@/lib/claims';

const ENDPOINTS: { path: string; speaks: string; ends: string }[] = [
  { path: 'POST /v1/chat/completions', speaks: 'OpenAI’s chat completions', ends: 'data: [DONE]' },
  { path: 'POST /v1/messages', speaks: 'Anthropic’s Messages, Claude Code included', ends: 'event: message_stop' },
  { path: 'POST /v1/messages/count_tokens', speaks: 'the same; asked of the first tier whose provider counts', ends: 'one JSON answer' },
  { path: 'POST /v1/responses', speaks: 'OpenAI’s Responses, without kept answers', ends: 'event: response.completed, or response.incomplete' },
  { path: 'POST /v1/embeddings', speaks: 'OpenAI’s embeddings; tiers that have none are skipped', ends: 'one JSON answer' },
  { path: 'POST /v1/completions', speaks: 'OpenAI’s old completions, asked of a chat model', ends: 'data: [DONE]' },
  { path: 'GET /v1/models, /v1/models/{id}', speaks: 'what the key may use; in Anthropic’s shape where anthropic-version is sent', ends: 'one JSON answer' },
];

export function EndpointsTable() {
  return (
    <Table caption="Endpoints of the data plane">
      <THead><Th>Endpoint</Th><Th>What it speaks</Th><Th>A whole answer ends in</Th></THead>
      <TBody>
        {ENDPOINTS.map((row) => <TRow key={row.path}><Td className="min-w-40"><Mono>{row.path}</Mono></Td><Td className="min-w-48">{row.speaks}</Td><Td className="min-w-36">{row.ends}</Td></TRow>)}
      </TBody>
    </Table>
  );
}

const FATES: Record<Fate, { word: string; className: string }> = {
  kept: { word: 'kept', className: '' },
  'kept whole': { word: 'kept; refused if streamed', className: 'text-muted' },
  partly: { word: 'kept; a detail named', className: '' },
  named: { word: 'lost and named', className: 'text-muted' },
  refused: { word: 'refused', className: 'font-medium' },
};

const WIRES = [
  { wire: 'openai', label: 'Chat completions' },
  { wire: 'anthropic', label: 'Messages' },
  { wire: 'gemini', label: 'generateContent' },
  { wire: 'openai-responses', label: 'Responses' },
] as const;

/** What a provider of each wire makes of a request that was written for another. */
export function RequestsTable() {
  return (
    <Table caption="What a client asks for, and what becomes of it at a provider of each API">
      <THead><Th>The client asks for</Th>{WIRES.map(({ wire, label }) => <Th key={wire}>{label}</Th>)}</THead>
      <TBody>
        {TRANSLATED_REQUESTS.map(({ what, fate }) => (
          <TRow key={what}>
            <Td className="min-w-44">{what}</Td>
            {WIRES.map(({ wire }) => <Td key={wire} className={FATES[fate[wire]].className}>{FATES[fate[wire]].word}</Td>)}
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

export function AnswersTable() {
  return (
    <Table caption="What a provider answers, and where a client of each API finds it">
      <THead><Th>The provider answers</Th><Th>Chat completions</Th><Th>Messages</Th><Th>Responses</Th></THead>
      <TBody>
        {TRANSLATED_ANSWERS.map((row) => (
          <TRow key={row.what}><Td className="min-w-44">{row.what}</Td><Td className="min-w-36">{row.chat}</Td><Td className="min-w-36">{row.messages}</Td><Td className="min-w-36">{row.responses}</Td></TRow>
        ))}
      </TBody>
    </Table>
  );
}

const ENDINGS: { moment: string; chat: string; messages: string; responses: string }[] = [
  { moment: 'A refusal before the stream', chat: '{"error":{message, type, code, param}}', messages: '{"type":"error","error":{type, message, code, param},"request_id"}', responses: 'as chat completions' },
  { moment: 'Overloaded', chat: '503', messages: '529 overloaded_error', responses: '503' },
  { moment: 'Cut after content', chat: 'data: {"error":…}, no [DONE]', messages: 'event: error, no message_stop', responses: 'event: response.failed' },
  { moment: 'A long gap is bridged by', chat: 'an empty delta', messages: 'event: ping', responses: 'response.in_progress' },
];

export function EndingsTable() {
  return (
    <Table caption="Errors and gaps in each API">
      <THead><Th>Moment</Th><Th>Chat completions</Th><Th>Messages</Th><Th>Responses</Th></THead>
      <TBody>
        {ENDINGS.map((row) => (
          <TRow key={row.moment}><Td className="min-w-36">{row.moment}</Td><Td className="min-w-40"><Mono>{row.chat}</Mono></Td><Td className="min-w-44"><Mono>{row.messages}</Mono></Td><Td className="min-w-40"><Mono>{row.responses}</Mono></Td></TRow>
        ))}
      </TBody>
    </Table>
  );
}

const HEADERS: { header: string; does: string }[] = [
  { header: 'Authorization: Bearer, x-api-key', does: 'Either carries the key, on every endpoint.' },
  { header: 'anthropic-version, anthropic-beta', does: 'On /v1/messages: forwarded byte for byte to a tier that speaks Messages, never to another.' },
  { header: 'X-Ohm-Dropped-Params', does: 'In the answer: hints that got lost on the way to the tier that served, by the names that you gave them.' },
  { header: 'x-should-retry: false', does: 'With a refusal: the gateway has retried already, or asking again would bring the same. Both official libraries honour it.' },
];

export function ApiHeadersTable() {
  return (
    <Table caption="Headers that matter between APIs">
      <THead><Th>Header</Th><Th>What it does</Th></THead>
      <TBody>{HEADERS.map((row) => <TRow key={row.header}><Td className="min-w-40"><Mono>{row.header}</Mono></Td><Td className="min-w-56">{row.does}</Td></TRow>)}</TBody>
    </Table>
  );
}
