/**
 * What the product says of itself in public, as data. No entry holds a status: a status follows from the
 * latest results of the entry's probes (status.ts).
 */
export type Claim = {
  id: string;
  /** One sentence that a reader can hold us to. */
  statement: string;
  /** Path of the page that explains it. */
  docs: string;
  /** What the claim does not cover; null when nothing needs saying. */
  limits: string | null;
} & (
  | {
      /** `promise`: the product does this. `refusal`: it never does this, and the probes show that it did not happen. */
      kind: 'promise' | 'refusal';
      /** Every one of them has to have passed. */
      probes: readonly [string, ...string[]];
    }
  | {
      /** Rests on a measurement, and on nothing where there is none. */
      kind: 'measurement';
      measurement: 'savings';
      /** Why there may be none. */
      unmeasuredBecause: string;
    }
);

const PAGE = '/docs/streaming-failover';
const APIS = '/docs/apis';

export const CLAIMS: readonly Claim[] = [
  {
    id: 'pre_first_byte_stream_failover',
    kind: 'promise',
    statement: 'A stream fails over to the next tier as long as no content has reached the client, also when the failing provider had already sent headers and a role frame.',
    docs: `${PAGE}#before-the-first-byte`,
    limits: 'Tiers are tried in the order of the route, each at most twice.',
    probes: ['failover_before_content'],
  },
  {
    id: 'preamble_never_leaks',
    kind: 'promise',
    statement: 'Nothing that a failed attempt sent before its content reaches the client: no header, no role frame, no comment, no id.',
    docs: `${PAGE}#the-commit-point`,
    limits: null,
    probes: ['failover_before_content'],
  },
  {
    id: 'mid_stream_handoff',
    kind: 'refusal',
    statement: 'Continuing a stream that has begun on another provider. After the first content no other upstream is contacted for the call.',
    docs: `${PAGE}#after-the-first-byte`,
    limits: null,
    probes: ['no_handoff_after_content'],
  },
  {
    id: 'truncation_is_said_in_band',
    kind: 'promise',
    statement: 'A stream that is cut after content ends with an error frame, code stream_truncated, and without [DONE].',
    docs: `${PAGE}#after-the-first-byte`,
    limits: null,
    probes: ['no_handoff_after_content'],
  },
  {
    id: 'multi_vendor_racing',
    kind: 'refusal',
    statement: 'Sending one call to several providers at once and keeping the fastest answer. Two upstream requests of one call are never open together.',
    docs: `${PAGE}#what-failover-is-not`,
    limits: null,
    probes: ['one_at_a_time'],
  },
  {
    id: 'silent_model_switching',
    kind: 'refusal',
    statement: 'Answering with another tier or model without saying so. Headers, body and ledger name what answered; an unknown model is refused.',
    docs: `${PAGE}#headers`,
    limits: 'The model name is the one configured in the tier; what a provider serves under that name is the provider’s word.',
    probes: ['served_model_is_named'],
  },
  {
    id: 'non_streamed_failover',
    kind: 'promise',
    statement: 'A JSON answer is sent only when the whole upstream body was read and parsed; until then the call fails over.',
    docs: `${PAGE}#non-streaming`,
    limits: null,
    probes: ['json_fails_over'],
  },
  {
    id: 'complete_commit',
    kind: 'promise',
    statement: 'With the commit policy “complete”, a stream is held until it is whole, and a cut after content still fails over.',
    docs: `${PAGE}#commit-policies`,
    limits: 'Up to 8 MiB; a longer answer commits, and the header X-Ohm-Commit then says first_content.',
    probes: ['complete_commit'],
  },
  {
    id: 'honest_status_when_all_fail',
    kind: 'promise',
    statement: 'When no tier answers, the client gets an error status and a JSON error, never a 200 stream that only carries an error.',
    docs: `${PAGE}#before-the-first-byte`,
    limits: null,
    probes: ['nobody_answered'],
  },
  {
    id: 'refusals_are_not_routed_around',
    kind: 'promise',
    statement: 'A fault of the caller’s and a refusal for content policy are returned as they are; no other tier is asked.',
    docs: `${PAGE}#before-the-first-byte`,
    limits: 'A context that is too long for one tier is offered to the next.',
    probes: ['callers_fault_is_returned'],
  },
  {
    id: 'pass_through_own_bytes',
    kind: 'promise',
    statement: 'Where client and provider speak the same API, requests and answers keep their own bytes: unknown members, numbers as they were written, ids.',
    docs: `${APIS}#same-api`,
    limits: 'Changed are the model’s name, usage in streams, and what savers that you switched on rewrote. Comments and broken frames are not relayed.',
    probes: ['own_bytes_pass'],
  },
  {
    id: 'translation_losses_disclosed',
    kind: 'promise',
    statement: 'What another API has no word for is never dropped in silence: a lost hint is named in a header, and a member whose loss would change the answer is refused by name.',
    docs: `${APIS}#losses`,
    limits: 'Of an answer, what the client’s API has no word for is named in the answer itself. The probe asks one pair of APIs; tests ask all of them.',
    probes: ['losses_are_named'],
  },
  {
    id: 'agents_readiness',
    kind: 'promise',
    statement: 'The MCP tool ohm_providers says of each tier that a key may use whether a call would ask it now. It contacts no provider for that, and it says that this is readiness, not failover telemetry.',
    docs: `${APIS}#mcp`,
    limits: 'As configured and as the answering process last saw it. It assumes a short chat and looks at no rates.',
    probes: ['readiness_is_told'],
  },
  {
    id: 'hang_up_reaches_upstream',
    kind: 'promise',
    statement: 'When the client hangs up, the upstream request is aborted at once, before and after content, and no further tier is tried.',
    docs: `${PAGE}#client-left`,
    limits: 'The probe allows one second. Whether a provider stops billing then is the provider’s decision.',
    probes: ['hang_up_reaches_upstream'],
  },
  {
    id: 'usage_metering',
    kind: 'promise',
    statement: 'Token figures are the provider’s own where it reports them, unchanged; otherwise they are an estimate and are labelled so.',
    docs: `${PAGE}#metering`,
    limits: 'An estimate is characters divided by four: of the prompt, all that was sent to the model, tools and schemas included; an image, a sound or a file counts as 1,000 tokens, whatever its size. What a provider adds of its own (earlier turns that it keeps, prompts stored with it) is not in it.',
    probes: ['usage_is_metered'],
  },
  {
    id: 'one_ledger_row_per_call',
    kind: 'promise',
    statement: 'Every call has exactly one ledger row, with the state that the client saw and the bytes that it got.',
    docs: `${PAGE}#metering`,
    limits: 'Rows survive the death of the process; the last few milliseconds before a power failure may be lost.',
    probes: ['one_row_per_call'],
  },
  {
    id: 'revocation_within_5_s',
    kind: 'promise',
    statement: 'A revoked key is refused within five seconds, in every process.',
    docs: `${PAGE}#keys`,
    limits: 'Measured in the process that runs the probe. A process that misses the notice reads the key again after at most 4 s.',
    probes: ['revocation_holds'],
  },
  {
    id: 'truncated_streams_cached',
    kind: 'refusal',
    statement: 'Storing a truncated answer and serving it again.',
    docs: `${PAGE}#replay`,
    limits: null,
    probes: ['replay_is_exact'],
  },
  {
    id: 'exact_replay',
    kind: 'promise',
    statement: 'A whole answer is kept, encrypted for its workspace, and served again to an equal request, streamed or not: X-AT-Cache: HIT, no upstream is asked, the tokens are shown and cost 0. Questions are never kept with it.',
    docs: `${PAGE}#replay`,
    limits: 'On for a new key, for an hour, for itself; off for a key or a request that says so. What a provider said in members that have no event of their own is not kept at all.',
    probes: ['replay_is_exact'],
  },
  {
    id: 'original_chunk_timing_replay',
    kind: 'refusal',
    statement: 'Replaying a stored stream in its original chunks and timing. A replay is complete in what was said; its frames are made anew and come at once.',
    docs: `${PAGE}#replay`,
    limits: null,
    probes: ['replay_is_exact'],
  },
  {
    id: 'edge_streaming_replay',
    kind: 'refusal',
    statement: 'Replaying streams from an edge in front of the gateway. The edge answers stored JSON alone; every stream goes to a control plane, which serves its hits.',
    docs: '/docs/two-planes#stored-answers',
    limits: 'A control plane serves a stored answer as a stream, in frames made anew.',
    probes: ['replay_is_exact'],
  },
  {
    id: 'savings',
    kind: 'measurement',
    statement: 'Prompt tokens saved by rewriting messages before they are sent, by what providers billed in conversations that were rewritten and in those that were left as they came.',
    docs: `${PAGE}#savers`,
    limits: 'Measured once both arms have 200 calls and half the 95 % interval is at most 5 % of the baseline, whatever the sign; an estimate until then. Figures are public once 20 workspaces contribute.',
    measurement: 'savings',
    unmeasuredBecause: 'No key has rewritten a conversation in the last 30 days whose tokens and bill are known, so there is nothing to measure.',
  },
];
