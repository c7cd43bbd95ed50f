import { Mono, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';

const SIGNALS: { signal: string; before: string; after: string }[] = [
  { signal: 'Connection refused, DNS, TLS, reset or close before any header', before: 'one retry on a fresh connection, then the next tier', after: '' },
  { signal: '408, 500, 502, 503, 504, 529', before: 'one retry after 250 ms, then the next tier', after: '' },
  { signal: '429 with a Retry-After of at most 2 s', before: 'waits that long, one retry, then the next tier', after: '' },
  { signal: '401, 402, 403, 404, 409, 425, any other 429, any other 5xx, 3xx', before: 'next tier', after: '' },
  { signal: 'Context too long, 413', before: 'next tier; this one is not benched', after: '' },
  { signal: 'Refusal for content policy, other 400, 422 and other 4xx', before: 'returned to the caller; no other tier', after: '' },
  { signal: '200 that is no event stream, empty body, [DONE] alone, a bound exceeded', before: 'next tier', after: 'truncated' },
  { signal: 'Error object in the stream', before: 'as a status of its class', after: 'truncated' },
  { signal: 'Silence past the budget', before: 'next tier, never asked twice', after: 'truncated' },
  { signal: 'End without a finish_reason on every choice', before: 'next tier', after: 'truncated' },
  { signal: 'Every finish_reason, then [DONE], end, reset or 2 s of silence', before: '', after: 'finished; a missing [DONE] is added' },
  { signal: 'Every finish_reason, then an error object', before: '', after: 'truncated; the finish frame was held for this' },
  { signal: 'One frame that is not JSON', before: 'next tier', after: 'dropped and counted; a second one truncates' },
];

export function SignalsTable() {
  return (
    <Table caption="What each signal of a provider leads to">
      <THead><Th>The provider</Th><Th>before the commit</Th><Th>after it</Th></THead>
      <TBody>
        {SIGNALS.map((row) => (
          <TRow key={row.signal}><Td className="min-w-44">{row.signal}</Td><Td className="min-w-40">{row.before || <Never />}</Td><Td className="min-w-32">{row.after || <Never />}</Td></TRow>
        ))}
      </TBody>
    </Table>
  );
}

const Never = () => <span className="text-muted">cannot happen</span>;

const STATUSES: { every: string; status: string }[] = [
  { every: 'rate limited', status: '429, with the soonest Retry-After' },
  { every: 'out of quota or money', status: '429 insufficient_quota' },
  { every: 'overloaded', status: '503' },
  { every: 'model not found', status: '404' },
  { every: 'context too long', status: '400' },
  { every: 'request too large', status: '413' },
  { every: 'no answer in time, or silence', status: '504' },
  { every: 'rejected our credential', status: '502: your own key was fine' },
  { every: 'different reasons', status: '504 if the last was a time-out, else 502' },
];

export function StatusesTable() {
  return (
    <Table caption="Status of a call that no tier served">
      <THead><Th>If every visit ended with</Th><Th>the client gets</Th></THead>
      <TBody>{STATUSES.map((row) => <TRow key={row.every}><Td>{row.every}</Td><Td>{row.status}</Td></TRow>)}</TBody>
    </Table>
  );
}

const RESPONSE_HEADERS: { header: string; on: string; means: string }[] = [
  { header: 'X-Ohm-Stream-Failover: pre-first-byte', on: 'every successful stream', means: 'A capability, not telemetry: it does not say that a failover happened.' },
  { header: 'X-AT-Cache: HIT | MISS | BYPASS', on: 'every completion', means: 'Outcome of exact replay: a stored answer was served, none was stored, none was looked for.' },
  { header: 'X-Ohm-Request-Id', on: 'every response', means: 'The id of the call’s ledger row, call_…. What makes no call has an id of its own, req_…, and no row: a rejected key, an unknown path, the list of models.' },
  { header: 'X-Ohm-Route', on: 'completions and rejections', means: 'The route’s name; “direct” for one named model, “private” for a key’s own tiers. No route can have these two names.' },
  { header: 'X-Ohm-Tier', on: 'the same', means: 'Which tier answered, from 1.' },
  { header: 'X-Ohm-Provider, X-Ohm-Model', on: 'the same', means: 'Who answered, and the model configured in that tier.' },
  { header: 'X-Ohm-Attempts', on: 'the same', means: 'Upstream requests made, retries included; 0 on a HIT, where the headers above name the answer’s origin.' },
  { header: 'X-Ohm-Commit: first_content | complete', on: 'the same', means: 'The commit policy that held. An answer over 8 MiB falls back to first_content.' },
  { header: 'X-Ohm-Resolved: fallback_model', on: 'when it happened', means: 'The name could not be resolved and the workspace’s fallback model was used: resolve-time routing, not stream failover.' },
  { header: 'X-Ohm-Dropped-Params', on: 'when it happened', means: 'Hints that the answering tier’s API has no word for, by the names that you gave them. What would change the answer is never dropped: it is a 400.' },
  { header: 'RateLimit, RateLimit-Policy', on: 'when a limit of requests or tokens applies', means: 'What is left and for how long, and the limits themselves, of the key and its workspace (IETF’s draft).' },
  { header: 'x-ratelimit-limit-*, -remaining-*, -reset-*', on: 'the same', means: 'The same in OpenAI’s words, for requests and tokens: of the limit that is nearest.' },
  { header: 'Retry-After, x-should-retry: false', on: 'errors', means: 'Whether and when it makes sense to send the request again.' },
];

const REQUEST_HEADERS: { header: string; means: string }[] = [
  { header: 'X-Ohm-Commit: complete', means: 'Hold the answer until it is whole. first_content is the other value.' },
  { header: 'X-Ohm-Fallback: off', means: 'First tier only; its one retry is kept.' },
  { header: 'X-Ohm-Savers: off', means: 'Messages go out as they came, and the call is in neither arm of the key’s comparison.' },
  { header: 'X-Ohm-Cache: bypass', means: 'No stored answer is looked for, and this one is not kept. Cache-Control: no-store says the same.' },
  { header: 'X-Ohm-Tag', means: 'A name of your own for what the call belongs to, at most 64 printable ASCII characters: usage is summed by it.' },
  { header: 'traceparent', means: 'W3C trace context.' },
];

export function HeadersTables() {
  return (
    <>
      <Table caption="Response headers">
        <THead><Th>Response header</Th><Th>On</Th><Th>Meaning</Th></THead>
        <TBody>{RESPONSE_HEADERS.map((row) => <TRow key={row.header}><Td className="min-w-56"><Mono>{row.header}</Mono></Td><Td className="min-w-28">{row.on}</Td><Td className="min-w-48">{row.means}</Td></TRow>)}</TBody>
      </Table>
      <div className="mt-4">
        <Table caption="Request headers">
          <THead><Th>Request header</Th><Th>Meaning</Th></THead>
          <TBody>{REQUEST_HEADERS.map((row) => <TRow key={row.header}><Td className="min-w-44"><Mono>{row.header}</Mono></Td><Td className="min-w-48">{row.means}</Td></TRow>)}</TBody>
        </Table>
      </div>
    </>
  );
}
