import { WIRE_EXAMPLES, type WireExampleId } from './wire-examples';

/** Which test proves which promise. proofs.test.ts looks every test up in its file. */
export interface Proof<Section extends string = DocSection> {
  /** Section of the page that makes the promise. */
  section: Section;
  promise: string;
  file: string;
  /** The test's name, as it stands in the file or in the data that the file reads; where a row of a table comes in, an ellipsis. */
  test: string;
}

/** The sections of the contract page, in order; each is an anchor that claims and errors point to. */
export const DOC_SECTIONS = [
  'what-failover-is',
  'what-failover-is-not',
  'the-commit-point',
  'before-the-first-byte',
  'after-the-first-byte',
  'commit-policies',
  'non-streaming',
  'client-left',
  'clocks-and-bounds',
  'endings',
  'headers',
  'planes',
  'replay',
  'metering',
  'savers',
  'keys',
  'agents-and-ci',
  'verify-it-yourself',
  'proofs',
] as const;
export type DocSection = (typeof DOC_SECTIONS)[number];

export const EXAMPLES_FILE = 'lib/claims/wire-examples.db.test.ts';
const CLAIMS_FILE = 'lib/claims/claims.db.test.ts';
const RETRY = 'lib/gateway/attempt/failure.test.ts';
const MACHINE = 'lib/gateway/attempt/machine.test.ts';
const COOL_DOWN = 'lib/health/cool-down.test.ts';
const HEALTH = 'lib/health/health.test.ts';
const SERVER = 'lib/server/ohm-server.test.ts';
const WEB_DOOR = 'lib/web-door/web-sink.test.ts';
const LEDGER = 'lib/metering/ledger.db.test.ts';
const BUDGETS = 'lib/limits/budgets.db.test.ts';
const USAGE = 'lib/metering/usage.db.test.ts';
const KEYS = 'lib/tenancy/key-directory/key-directory.db.test.ts';
const LIFECYCLE = 'lib/gateway/lifecycle.test.ts';
const FAULTS = 'lib/gateway/faults.test.ts';
const SAVERS = 'lib/savers/savers.test.ts';
const SAVING = 'lib/gateway/savers.test.ts';
const SSE = 'lib/wire/sse-reader.test.ts';
const REPLAY = 'lib/gateway/replay.test.ts';
const INVENTORY = 'lib/gateway/replay-inventory.test.ts';
const REPLICAS = 'lib/gateway/replay-replicas.test.ts';
const STORES = 'lib/stores/guard.test.ts';

const onTheWire = (section: DocSection, id: WireExampleId, promise: string): Proof => ({ section, promise, file: EXAMPLES_FILE, test: WIRE_EXAMPLES.find((example) => example.id === id)!.test });

export const PROOFS: readonly Proof[] = [
  onTheWire('before-the-first-byte', 'failed-over', 'A stream fails over before content, and nothing of the tier that failed is seen.'),
  { section: 'the-commit-point', promise: 'No step before the commit sends anything to the client.', file: MACHINE, test: 'nothing is sent to the client by any step that leads from one uncommitted phase to another' },
  { section: 'after-the-first-byte', promise: 'Nothing leads from a committed answer back to a state where another tier may be asked.', file: MACHINE, test: 'no step leads from a committed phase back to one where failover is legal' },
  onTheWire('after-the-first-byte', 'truncated', 'A cut after content ends with the error frame and without [DONE].'),
  onTheWire('after-the-first-byte', 'truncated-by-error', 'A provider’s error in mid-stream becomes the same frame, with its class and status.'),
  onTheWire('after-the-first-byte', 'malformed', 'One frame that is not JSON is dropped and counted.'),
  { section: 'after-the-first-byte', promise: 'A second such frame truncates.', file: MACHINE, test: 'a second malformed frame truncates' },
  onTheWire('before-the-first-byte', 'rejected', 'When every tier fails, the client gets one JSON error with an honest status.'),
  onTheWire('before-the-first-byte', 'rate-limited', 'When every tier is rate limited, the status is 429 with the soonest Retry-After.'),
  onTheWire('before-the-first-byte', 'timed-out', 'When every tier is silent, the status is 504.'),
  onTheWire('before-the-first-byte', 'callers-fault', 'A fault of the caller’s is returned as it is.'),
  { section: 'before-the-first-byte', promise: 'A connection failure is tried again at once, on a fresh connection.', file: RETRY, test: 'a connection that failed before any response header is tried again at once' },
  { section: 'before-the-first-byte', promise: '408, 500, 502, 503, 504 and 529 get one retry after 250 ms.', file: RETRY, test: '408, 500, 502, 503, 504 and 529 are tried again after a quarter of a second' },
  { section: 'before-the-first-byte', promise: 'A short Retry-After is waited for; a long one is not.', file: RETRY, test: 'a 429 waits as long as it asks when that is at most 2 s' },
  { section: 'before-the-first-byte', promise: 'A tier that was silent is not asked twice.', file: RETRY, test: 'a silent tier is never asked twice' },
  { section: 'before-the-first-byte', promise: 'A tier that was cut after its first event is not asked twice.', file: RETRY, test: 'a stream that died or erred before its first event is tried again, one cut later is not' },
  { section: 'before-the-first-byte', promise: 'A failed tier is skipped until its cool-down ends; then one call probes it.', file: HEALTH, test: 'a failed pair is skipped until its cool-down ends; then exactly one caller probes it' },
  { section: 'before-the-first-byte', promise: 'The cool-down is 2 s, doubling to at most 15 s.', file: COOL_DOWN, test: 'starts at 2 s and doubles with every failed probe up to 15 s' },
  { section: 'before-the-first-byte', promise: 'A provider’s Retry-After is honoured up to 5 minutes.', file: COOL_DOWN, test: 'is as long as the provider asked, at most 5 minutes, without jitter' },
  { section: 'before-the-first-byte', promise: 'A rejected credential benches its whole connection.', file: HEALTH, test: 'a rejected credential benches the whole connection until it is edited or 5 minutes pass' },
  { section: 'what-failover-is-not', promise: 'The running product races nobody, hands nothing over and says what it did not do.', file: CLAIMS_FILE, test: '… is proven by its probes' },
  { section: 'what-failover-is-not', promise: 'A claim turns to failing when the engine is broken on purpose.', file: CLAIMS_FILE, test: 'commits on a role frame, and the claims that forbid it are failing after one run' },
  onTheWire('non-streaming', 'json', 'A JSON answer that is cut fails over, and the whole one is sent.'),
  { section: 'client-left', promise: 'The node server tells the engine once when a client leaves.', file: SERVER, test: 'a client that leaves is told once, and not when the answer was complete' },
  { section: 'client-left', promise: 'So does the door through Next’s route handlers.', file: WEB_DOOR, test: 'the client leaving is told once, by signal or by cancel, and writes after it are harmless' },
  { section: 'clocks-and-bounds', promise: 'A client that does not read stops the read from upstream.', file: SERVER, test: 'a client that does not read stops the writes, and they go on when it reads' },
  { section: 'clocks-and-bounds', promise: 'Bodies that one workspace promises and does not send keep no other one out.', file: SERVER, test: 'bodies that were announced and never come hold their owner back, and nobody else' },
  { section: 'clocks-and-bounds', promise: 'A body that stops coming is a 408.', file: 'lib/gateway/slow-bodies.test.ts', test: 'a body that stops coming is a 408 that closes the connection, and has its row' },
  { section: 'clocks-and-bounds', promise: 'Whole answers that nobody reads are held within the same bound.', file: LIFECYCLE, test: 'whole answers that nobody reads stay within the same bound, and give it back when they are gone' },
  { section: 'clocks-and-bounds', promise: 'What is held of an endless line is bounded.', file: SSE, test: 'hold for a line that drips in byte by byte' },
  onTheWire('endings', 'draining', 'A stream that outlives the drain ends with gateway_draining.'),
  onTheWire('endings', 'finished', 'A finished stream has a finish_reason, its usage and [DONE].'),
  { section: 'endings', promise: 'Calls that outlast the drain still get their last frame.', file: SERVER, test: 'calls that outlast the drain are cut by the engine and still get their last frame' },
  onTheWire('headers', 'unknown-model', 'An unknown model is refused, never replaced.'),
  onTheWire('keys', 'bad-key', 'A bad key is refused with 401.'),
  { section: 'keys', promise: 'A revoked key is refused within 5 s even where no notice arrives.', file: KEYS, test: 'is refused within 5 s where no announcement arrives, even under steady use' },
  { section: 'keys', promise: 'A database that is away is never a 401.', file: KEYS, test: 'what was read less than 4 s ago still works; everything else is DependencyUnavailable, and it recovers' },
  { section: 'replay', promise: 'An equal request is served the stored answer: no upstream is asked, the ledger calls it a hit at cost 0.', file: REPLAY, test: 'is the answer again, without asking anybody, and says so in headers and ledger' },
  { section: 'replay', promise: 'What comes back is complete, as the official client reads it.', file: REPLAY, test: 'comes back without loss: reasoning, text, tool calls, finish reason and every figure of the usage, as the official client reads them' },
  { section: 'replay', promise: 'A stream and a JSON answer are one entry.', file: REPLAY, test: 'of a stream is served as JSON and the other way round, and says the same' },
  { section: 'replay', promise: 'The order of members does not make another question; the order of an array does.', file: INVENTORY, test: 'is decided by what is asked: not by the order of members, nor by how the answer is delivered or who is told of it' },
  { section: 'replay', promise: 'No key is served another one’s answers unless both share.', file: INVENTORY, test: 'belongs to its key and its workspace, unless the workspace shares' },
  { section: 'replay', promise: 'A spoiled entry is a miss.', file: INVENTORY, test: 'an entry under another name is a miss: answers cannot be exchanged' },
  { section: 'replay', promise: 'A purge reaches answers that are being given.', file: INVENTORY, test: 'a purge reaches an answer that is being given: it is kept where nobody looks' },
  { section: 'replay', promise: 'Several processes share what one has kept.', file: REPLICAS, test: 'share what one of them has kept, …, and forget it together' },
  { section: 'replay', promise: 'A store that turns slow, mute or gone costs at most its bound, then nothing.', file: STORES, test: 'that turns … costs a question at most its bound, then nothing, and is found again' },
  { section: 'metering', promise: 'A row comes back as it was written.', file: LEDGER, test: 'comes back from memory and from PostgreSQL as it was written, member for member' },
  { section: 'metering', promise: 'Sums by hour are those of the rows: dropped and rebuilt, they are the same to the unit.', file: USAGE, test: 'are the same after they were dropped and rebuilt, in one go or day by day, while rows go on coming in' },
  { section: 'metering', promise: 'Totals say what the list of calls shows.', file: USAGE, test: 'say of a window what the calls list shows in it' },
  { section: 'metering', promise: 'What was not measured is null, and a clock that jumps back moves no call.', file: USAGE, test: 'nothing measured is null, and a clock that jumps back leaves every call in the hour that its row names' },
  { section: 'metering', promise: 'A call that was open when its process ended has one row, state lost.', file: LEDGER, test: 'of a process that ended with a call open is replayed by the next: one row, lost, nothing invented' },
  { section: 'metering', promise: 'Calls one after the other whose bills exceed what was set aside do not add up beyond a hard budget.', file: 'lib/gateway/overrun.db.test.ts', test: 'pass a hard budget by no more than the last one’s excess (…)' },
  { section: 'metering', promise: 'What a budget had set aside for a lost call is free again, and none of it is charged.', file: BUDGETS, test: 'frees the hold of a call that was lost or refused, which cost nothing' },
  { section: 'metering', promise: 'Without journal and database no call is taken.', file: LEDGER, test: 'refuses calls with `dependency_unavailable` when the database is away too, and recovers by itself' },
  { section: 'the-commit-point', promise: 'Before the first content the client gets no status and no byte.', file: LIFECYCLE, test: 'the client gets no status and no byte before the first content' },
  { section: 'the-commit-point', promise: 'A tier that committed on its role frame would break this; the content table is what prevents it.', file: LIFECYCLE, test: 'a tier that commits on its role frame would answer from a dying upstream: the content table is what prevents it' },
  { section: 'the-commit-point', promise: 'The preamble is bounded.', file: LIFECYCLE, test: 'a preamble of too many events, or too many bytes, goes to the next tier' },
  { section: 'before-the-first-byte', promise: 'Every kind of fault, at every moment, streamed or not, on every tier: bytes, contacts and row are as this page says.', file: FAULTS, test: 'every fault, at every moment, streamed or not, on every tier: bytes, contacts and row are the contract’s' },
  { section: 'before-the-first-byte', promise: 'When every tier is benched, all are tried in order anyway.', file: LIFECYCLE, test: 'when every tier is degraded, all are tried in order anyway' },
  { section: 'before-the-first-byte', promise: 'Also those passed over a moment before, once each, where the last healthy one fails.', file: LIFECYCLE, test: 'when the last healthy tier fails, those passed over as degraded are tried after it, in order and once each' },
  { section: 'before-the-first-byte', promise: 'A fault of the caller’s benches nobody; a truncated stream does.', file: LIFECYCLE, test: 'a truncated stream counts, a fault of the caller’s does not' },
  { section: 'after-the-first-byte', promise: 'An error after the finish_reason truncates, and the finish frame is never shown.', file: LIFECYCLE, test: 'an error object makes it truncated, and the finish frame is never shown' },
  { section: 'after-the-first-byte', promise: 'No comment, id or retry line of the provider’s is relayed.', file: LIFECYCLE, test: 'no comment, id or retry line of the upstream is relayed' },
  { section: 'after-the-first-byte', promise: 'A long gap is bridged with an empty delta.', file: LIFECYCLE, test: 'a long gap after the commit is bridged with an empty delta of the answer’s own identity' },
  { section: 'commit-policies', promise: '“complete” fails over after content, and nothing truncated reaches the client.', file: LIFECYCLE, test: 'fails over after content, and nothing truncated reaches the client' },
  { section: 'commit-policies', promise: 'The request header overrides the route, both ways.', file: LIFECYCLE, test: 'the request header overrides the route, both ways' },
  { section: 'commit-policies', promise: 'An answer that outgrows the bound commits, and the header says so.', file: LIFECYCLE, test: 'an answer that outgrows the bound commits, and the header says so' },
  { section: 'what-failover-is-not', promise: 'The order of the tiers never changes, whoever is faster.', file: LIFECYCLE, test: 'the order of tiers never changes, whoever is faster' },
  { section: 'client-left', promise: 'In every state the upstream is closed at once, no other tier is asked, and one row says so.', file: LIFECYCLE, test: '…: the upstream is closed at once, no other tier is asked, one row says so' },
  { section: 'client-left', promise: 'A client that takes nothing has left.', file: LIFECYCLE, test: 'a slow client slows the upstream down, and one that takes nothing has left' },
  { section: 'clocks-and-bounds', promise: 'Comments and role frames do not reset the first-content clock.', file: LIFECYCLE, test: 'the first-content clock is not reset by comments or role frames' },
  { section: 'clocks-and-bounds', promise: 'Any byte resets the idle clock.', file: LIFECYCLE, test: 'the idle clock is reset by any byte' },
  { section: 'clocks-and-bounds', promise: 'The route’s deadline ends the walk with 504.', file: LIFECYCLE, test: 'the deadline of the route ends the walk with 504, and tiers it leaves no time for are skipped' },
  { section: 'clocks-and-bounds', promise: 'Beyond the process-wide bound the largest holder fails over.', file: LIFECYCLE, test: 'beyond the process-wide bound the largest holder fails over and the others go on' },
  { section: 'headers', promise: 'X-Ohm-Fallback: off asks the first tier only.', file: LIFECYCLE, test: 'X-Ohm-Fallback: off asks the first tier only, and keeps its one retry' },
  { section: 'metering', promise: 'Usage is always asked for upstream, and given in the shape that the client asked for.', file: LIFECYCLE, test: 'is always asked for upstream; the client gets it in the shape it asked for' },
  { section: 'metering', promise: 'Where the provider reports none, the figures are a labelled estimate.', file: LIFECYCLE, test: 'is a labelled estimate where the provider gave none' },
  { section: 'savers', promise: 'Only the strings that a saver changed differ from what the client sent.', file: SAVING, test: 'has its messages rewritten, and nothing else: every other byte goes out as it came' },
  { section: 'savers', promise: 'A provider that refuses what was rewritten is asked once more with the client’s own words.', file: SAVING, test: 'is asked once more with the client’s own words, and the row says so' },
  { section: 'savers', promise: 'Whatever goes wrong with a saver is undone and recorded.', file: SAVERS, test: 'undoes all that a saver did once its time is over' },
  { section: 'savers', promise: 'A message is rewritten the same whatever follows it.', file: SAVERS, test: 'a message is rewritten the same whatever follows it: the prefix of a growing conversation is byte-identical' },
  { section: 'savers', promise: 'A mark among the messages leaves the whole conversation alone: no rule that rewrites more keeps what was sent before.', file: 'lib/surfaces/prompt-cache.test.ts', test: 'of all rules by which nothing before a mark changes, only the one that rewrites nothing keeps every beginning' },
  { section: 'savers', promise: 'All turns of a conversation of the hold-out are sent as they came.', file: SAVING, test: 'sends a conversation of the hold-out as it came, and all of its turns alike' },
  { section: 'savers', promise: 'The 95 % interval covers the truth in 93 to 97 of 100 simulated cases.', file: 'lib/savers/estimate.sim.test.ts', test: 'the interval covers the truth in 93 to 97 %: …' },
  { section: 'verify-it-yourself', promise: 'The commands on this page do what it says.', file: 'lib/claims/verify-commands.db.test.ts', test: 'the command “…” does what the page says' },
];
