import Link from 'next/link';
import { BOUNDS } from '@/lib/gateway';
import { CLIENT_BYTES_A_S, CLIENT_MUCH_BYTES, CLIENT_STALL_MS } from '@/lib/gateway/ports';
import { Prose } from '../../_components/doc';

const seconds = (ms: number): string => `${ms / 1000} s`;
const kib = (bytes: number): string => (bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`);

export function WhatFailoverIs() {
  return (
    <Prose>
      <p>A <strong>route</strong> is a list of <strong>tiers</strong> in an order that you set. A tier is a provider connection, a model and its time limits; an <strong>eco tier</strong> is several such pairs. A <strong>call</strong> walks the tiers from the first: one <strong>attempt</strong> at a time, each at most twice.</p>
      <p>As long as a provider has sent no content, your client has received nothing: no status, no header, no byte. If the attempt fails in that time, everything it sent is thrown away and the next tier is asked. The client sees one answer by one provider, or one error with an honest status.</p>
      <p>The first content changes that. It goes to the client together with the status and the headers, and from then on the answer belongs to the provider that began it. Should that provider fail, the client is told so in the stream.</p>
    </Prose>
  );
}

export function WhatFailoverIsNot() {
  return (
    <Prose>
      <ul>
        <li><strong>Not a hand-over in mid-stream.</strong> Two models never write one answer. Whatever a second model would add has not seen what the first one meant.</li>
        <li><strong>Not a race.</strong> A call is never sent to two providers at once, and a slow tier is waited for until its budget ends.</li>
        <li><strong>Not a quiet switch of models.</strong> The headers, the body’s model and the ledger name what answered. An unknown model name is refused with 404.</li>
        <li><strong>Not a way around a refusal.</strong> A refusal for content policy and any other fault of the request goes back to the caller.</li>
        <li><strong>Not load balancing.</strong> The order of the tiers is yours and never changes. A tier that has just failed is skipped for some seconds; that is all.</li>
        <li><strong>Not a guarantee of an answer.</strong> When all tiers fail you get an error that says why, with every attempt listed.</li>
      </ul>
    </Prose>
  );
}

export function CommitPoint() {
  return (
    <Prose>
      <p>The commit is the first event that carries content: neither the provider’s status, nor its headers, nor its first line.</p>
      <ul>
        <li><strong>Content</strong>: text, reasoning, a refusal, audio, any part of a tool call, or the finish_reason of an answer that is rightly empty.</li>
        <li><strong>Held back</strong>: the role frame, empty deltas, empty choices, filter results, comments, pings. They are sent with the first content, or thrown away whole.</li>
      </ul>
      <p>An answer whose first content is also its last (one event with text and finish_reason) is held until it is known how the stream ends, two seconds at the most: an error behind it still goes to the next tier.</p>
      <p>Held frames are bounded: {kib(BOUNDS.preambleBytes)} or {BOUNDS.preambleEvents.toLocaleString('en')} events, whichever comes first. A provider that sends more has failed.</p>
    </Prose>
  );
}

export function BeforeTheFirstByte() {
  return (
    <Prose>
      <p>What the provider does decides by its class of failure, not by its wording. Some failures are worth one retry on the same tier, because a short wait on the model that you chose beats a switch. A tier that was silent, or was cut after its first event, is never asked twice: it may still be working, and billing.</p>
      <p>A failed tier is benched for this workspace: skipped until its cool-down ends (the provider’s Retry-After up to 5 minutes, else 2 s doubling to 15 s, 30 s after silence), and then probed by exactly one call. A rejected credential benches the whole connection until it is edited or 5 minutes have passed. A fault of the caller’s never counts. When every tier is benched, all are tried in order anyway: also those passed over a moment before, once each, where the last healthy one failed or could not serve the request.</p>
      <p>In an eco tier the cheapest candidate that can serve the request and is not benched is asked, by the price of the request’s own tokens, never by speed; equals in the order in which you listed them. If it fails it is benched and the next cheapest is asked, each once, before the next tier. Candidates that lack an ability, have too little room or no known price are left out. What was compared stands on the call’s row.</p>
      <p>If nobody answers, the status says so. All of these but a 429 for rate limits carry <code>x-should-retry: false</code>: the gateway has retried already.</p>
    </Prose>
  );
}

export function AfterTheFirstByte() {
  return (
    <Prose>
      <p>After the commit no other upstream is contacted for the call, ever, and nothing is appended. If the provider fails now, the stream is <strong>truncated</strong>: its last frame is an error with <code>code: stream_truncated</code>, the class, the provider’s status and how many bytes you have; then the body ends cleanly. <code>[DONE]</code> does not follow, and the frame has no <code>choices</code>, because a popular client library drops the error when they are there.</p>
      <p>An answer is finished when every choice has its finish_reason. Since a provider may still report an error after that, the finish frame is held until the ending is known, at most {seconds(BOUNDS.closingMs)}. A missing <code>[DONE]</code> is added.</p>
      <p>A frame that is not JSON is dropped, counted, and named in the last frame before <code>[DONE]</code>. Lines, comments and ids of the provider’s are never relayed: every <code>data:</code> line that you get parses. A gap of more than {seconds(BOUNDS.bridgeMs)} is bridged by a chunk with an empty delta.</p>
    </Prose>
  );
}

export function CommitPolicies() {
  return (
    <Prose>
      <p>With <code>first_content</code>, the default, the stream begins as soon as the model does. With <code>complete</code> the whole answer is held until it is finished and then streamed: a failover stays possible to the last token, and nothing truncated reaches the client. It costs the time to the first token.</p>
      <p>A route has a policy; the request header <code>X-Ohm-Commit</code> overrides it. Past {kib(BOUNDS.completeBytes)} a held answer commits, and the response header says <code>first_content</code>.</p>
    </Prose>
  );
}

export function NonStreaming() {
  return (
    <Prose>
      <p>Without <code>stream</code> the commit is the whole body, read and parsed. A body that is cut, silent or invalid, or an error object inside a 200, is a failed attempt like any other, and the next tier is asked. The limit is <code>response_timeout_ms</code> from the request to the end of the body.</p>
    </Prose>
  );
}

export function ClientLeft() {
  return (
    <Prose>
      <p>When the client hangs up, the upstream request is aborted at once, whatever the state, and no further tier is tried. A client that takes nothing for {seconds(CLIENT_STALL_MS)} counts as having left, and so does one that takes less than {kib(CLIENT_BYTES_A_S)} a second over that time while more than {kib(CLIENT_MUCH_BYTES)} waits for it. The ledger row says so, with the bytes that were handed to its socket. Of the last write it counts nothing if the client left in the middle of it; where that write was larger than 64 KiB, as a JSON answer may be, how much of it was taken is not known and <code>flushed_bytes</code> is null.</p>
      <p>Hanging up is not free: what the provider had been sent by then, and had said as far as this gateway had read it, is charged to the row and to budgets by the labelled estimate (or by the provider’s own figures, if those had come), also before a tier committed. The row then names no tier, since none served the call: the price is that of the last of its attempts, which was being asked. What the provider goes on to write after that is not known and not charged, and neither is what it had written of a JSON answer that was still on its way.</p>
      <p>A slow client slows the read from the provider down; memory stays bounded.</p>
    </Prose>
  );
}

export function ClocksAndBounds() {
  return (
    <Prose>
      <ul>
        <li><code>first_content_timeout_ms</code> of a tier runs from the request to the first content, and nothing resets it. Default: 10 s where another tier follows, 60 s on the last one, 300 s for a model that thinks first. Connecting has {seconds(BOUNDS.connectMs)} of it.</li>
        <li><code>idle_timeout_ms</code> (30 s) bounds silence after the commit. Any byte of the provider’s resets it; it stands still while a slow client holds the read.</li>
        <li><code>response_timeout_ms</code> (120 s, or 600 s for a model that thinks first) takes their place without streaming.</li>
        <li><code>deadline_ms</code> of a route (15 min) covers everything up to the commit. No attempt starts with less than a second of it left.</li>
        <li>One event of a provider’s may have {kib(BOUNDS.eventBytes)}, a JSON answer {kib(BOUNDS.wholeBodyBytes)}, an answer {BOUNDS.toolCalls.toLocaleString('en')} tool calls. What all calls of a process hold together is bounded too, with what their clients have not taken yet; beyond it the workspace that holds most loses the largest of it: an attempt of its own fails, or a client of its own is cut off.</li>
        <li>Request bodies have room of their own (<code>OHM_HELD_BYTES</code>), larger ones than 256 KiB from the moment their length is announced. An eighth is kept for small bodies. Of either part a workspace may have no more than is left for all others (one alone has half, two have a third each), and one body; beyond that its calls are a 503. A body of which nothing comes for 20 s, or after that less than 8 KiB a second, is a 408.</li>
      </ul>
    </Prose>
  );
}

export function Planes() {
  return (
    <Prose>
      <ul>
        <li><strong>Data plane</strong>, <code>/v1/*</code>: completions and models, with a key <code>ohm_sk_…</code>. It walks tiers, holds, commits and writes the ledger.</li>
        <li><strong>Control plane</strong>, <code>/api/v1/*</code> and the dashboard: connections, routes, keys, members, with a management key <code>ohm_mk_…</code> or a session. Keys of one plane are worth nothing in the other. Saving never contacts a provider.</li>
        <li><strong>Public</strong>, <code>/v1/public/*</code>: this installation’s claims and status, without a key.</li>
      </ul>
      <p>The data plane is served in two ways with one engine: straight by the node server of <code>npm start</code>, and by route handlers where the app is deployed on a host of its framework. In front of it there may be an <Link className="link" href="/docs/two-planes">edge</Link>: a lean process that forwards, fails over between two such processes before the first byte, and answers stored JSON itself, never a stream.</p>
    </Prose>
  );
}

export function Replay() {
  return (
    <Prose>
      <p>A key that keeps its answers (a new one does, for an hour, until you say otherwise) is served the stored answer when it asks exactly the same again: <code>X-AT-Cache: HIT</code>, <code>X-Ohm-Attempts: 0</code>, no provider is asked, and the ledger shows the tokens at cost 0. <code>MISS</code> says that none was stored, <code>BYPASS</code> that none was looked for. The other headers name the answer’s origin.</p>
      <ul>
        <li><strong>The same</strong> is decided by the API that was called and the body in its canonical form (RFC 8785), without <code>stream</code>, <code>stream_options</code>, <code>user</code> and <code>metadata</code>: the order of members does not matter, the order of arrays does, and a stream and a JSON answer are one. The route as it is now, its tiers and their connections count too: after an edit nothing of before is served. On the Messages API the version and beta headers count as well.</li>
        <li><strong>Kept</strong> is only a whole answer that ended with <code>stop</code>, <code>length</code>, <code>tool_calls</code> or <code>function_call</code> and its wire’s own last frame, whose tool arguments are JSON, that lost no frame, and that has no part which could not be written again as it was (audio, a last word or members that this gateway has no word for, a tool call without an id). Truncated, errored and aborted answers are never kept, nor one of more than a million characters.</li>
        <li><strong>What comes back</strong> is complete: text, reasoning, refusals, tool calls, citations, log probabilities, finish reasons and every figure of the usage, with a fresh id and time. The frames are made anew and come at once: never the original chunks and timing.</li>
        <li><strong>Whose</strong>: a key’s answers are served to that key alone; keys whose scope is <code>workspace</code> share theirs. Answers are stored encrypted for the workspace, prompts never. A wrong, cut or foreign entry is a miss.</li>
        <li><strong>Not for this request</strong>: <code>Cache-Control: no-store</code> or <code>X-Ohm-Cache: bypass</code> neither reads nor writes. Requests that ask the provider to keep the answer (<code>store: true</code>), bodies over 4 MiB, bodies with whole numbers beyond 2<sup>53</sup>, and bodies in which an object has one name twice, at whatever depth, are always bypassed. Several choices, seeds, temperatures and provider tools are not: an equal request gets the equal answer.</li>
        <li><strong>Forgotten</strong>: <code>POST /api/v1/replay/purge</code> with a key, a route or the whole workspace puts what is stored out of reach at once here and within 5 s in every process. So do turning replay off and revoking the key. The bytes, which nothing asks for any more, end with their time to live.</li>
        <li><strong>Where</strong>: in the process, or for several of them in one Redis. A store that is slow or away costs a call at most 20 ms, and nothing once that is known. Requests that arrive at the same time are not merged.</li>
      </ul>
    </Prose>
  );
}

export function Metering() {
  return (
    <Prose>
      <p>Every call has exactly one ledger row, whatever became of it. A record is written before the first upstream byte and another before the client’s last one, so a process that is killed at any instant loses no delivered answer’s row; a call that was open then is closed as <em>lost</em> at the next start. What it cost is not known, so none of it is charged: what a budget had set aside for it is free again, and each kill may leave the bill above a hard budget by what was under way.</p>
      <p>Usage is asked for upstream on every stream. Where the provider reports it, its numbers pass through untouched; where not, it is an estimate (characters divided by four) and says so, field by field. The estimate of a prompt counts everything that was sent to the model: messages, calls of tools and their results, reasoning, tools and schemas. The characters of base64 are no text: an image, a sound or a file counts as 1,000 tokens, whatever its size. The same estimate is what rates in tokens and budgets go by before a call. What nobody knows is null, never zero. You get one usage chunk before <code>[DONE]</code>, wherever the provider told it: in OpenAI’s shape when you asked for it, with one empty choice when you said nothing, and none when you said <code>include_usage: false</code>.</p>
      <p>Cost is booked at the price of the tier that served, or that was being asked when the client left; without a known price it is null. It is null, too, where a provider’s figures contradict each other (more cached than prompt tokens, say) or make a sum beyond all counting; a hard budget is then charged every token that they speak of at the plain rates, and no less than was set aside for the call. The row says what in <code>budget_nano_usd</code>.</p>
      <p>What a hard budget sets aside for a call is its prompt by estimate and the longest answer that it may get; a provider may bill more. One call can take the budget over its end by that excess, and calls in parallel each by its own. Calls one after the other do not add up: the end of an answer that cost more than was set aside waits until the budget is charged, so the next call meets what is really left. It waits a second at most: while the database takes longer, the answer goes out and the charge follows.</p>
      <p>A limit of tokens a minute knows less: a call takes its prompt by estimate and the longest answer that the request asks for. One that names no <code>max_tokens</code> (or its like) takes nothing for its answer until it ends, so such calls in parallel can go beyond the limit by their answers.</p>
      <p>A test of a connection or a route, from the dashboard or over the API, asks the provider as a call does and is paid for, but it has no row and no budget is charged for it. Its answer has at most 1,024 tokens, a workspace has 30 tests a minute in each process, and none of a provider once a hard budget of the workspace is used up.</p>
    </Prose>
  );
}

export function Savers() {
  return (
    <Prose>
      <p>A key may switch on savers: deterministic rewrites of messages that spend fewer tokens. None is on by default. Lossless ones leave out nothing that a reader could miss; lossy ones say what they cut, in the text itself. <code>X-Ohm-Savers: off</code> keeps one request out of it.</p>
      <ul>
        <li><strong>Fails open</strong>: a saver that throws, takes longer than 50 ms, changes the structure or makes a text no shorter is undone and recorded. A provider that answers 400 or 422 to what was rewritten is asked once more with your own words, unless it is the context that is too long or a policy. Only strings that a saver changed differ; every other byte of a request in its provider’s own API is as you sent it.</li>
        <li><strong>Prompt caches keep hitting</strong>: a message is rewritten the same whatever follows it, and one that carries a signature or reasoning is left alone. A <code>cache_control</code> mark on a system prompt leaves all up to it alone; one among the messages, or on the request itself, leaves the whole conversation alone. What stands behind such a mark could be rewritten too, but clients move their marks along: a turn later it would stand before the mark, where nothing may change, and the provider would see another beginning than before. A conversation with such marks therefore saves nothing here, and keeps its cache. Time and size are the exception: they are limits of a whole conversation. When one grows past 2,000,000 characters that savers could work on, or a saver’s 50 ms do not suffice for all of it, that work is undone in its earlier messages too. They go out as you sent them, the provider sees another beginning than a turn before, and its cache is missed: once for the size, and for the time whenever a saver that was in time is late, or in time again. The record says <code>timeout</code>.</li>
        <li><strong>Counted</strong>: tokens of the texts as received and as sent. Texts are all that savers can touch: system prompts, the words of messages, results of tools. Tool definitions, arguments of tool calls, images, schemas and what a provider puts around messages are in its bill and not in this count. They are counted by the same tokenizer (exact for OpenAI’s models, a labelled stand-in for others), in a thread of their own while the provider answers. Where the answer was faster, the count reaches the ledger row a moment after it; a process that is killed in between leaves it null.</li>
        <li><strong>Receipts</strong>: each call’s row says what each saver did, in counts. A key may also keep the texts that savers changed, as they came and as they were sent, for 1 to 30 days (<code>&quot;keep_texts&quot;: {'{'}&quot;days&quot;: 7{'}'}</code>; off unless it says so): then the receipt shows the difference. They are encrypted for the workspace and its call, shown to developers and above, unreadable once their days are over and deleted within minutes. Turning it off or revoking the key deletes them at once. Nothing else of a request is kept.</li>
        <li><strong>Measured</strong>: 5&nbsp;% of conversations, or what you set from 0 to 50, are sent as they came. What the provider billed for each token received is compared between both arms, cached tokens at the cached rate, with a 95&nbsp;% interval clustered by conversation. Savings are an estimate until both arms have 200 calls and half the interval is at most 5&nbsp;% of the baseline; then they are measured, also where they are nothing or a loss.</li>
      </ul>
    </Prose>
  );
}

export function Keys() {
  return (
    <Prose>
      <p>A key is shown once and stored as a hash. A revoked, disabled or expired key is refused within 5 s in every process, by a notice from the database and, should that be missed, by a cache that keeps nothing for longer than 4 s. When the database cannot answer, a key that is not cached gets 503, never 401.</p>
    </Prose>
  );
}

export function AgentsAndCi() {
  return (
    <Prose>
      <ul>
        <li>Point an OpenAI client at <code>/v1</code> and use a route’s name as the model. The official libraries raise an error on the truncation frame. If you read the stream yourself: a stream without <code>[DONE]</code> is incomplete, and an <code>error</code> frame says why.</li>
        <li>Do not run a tool call out of a truncated answer, even if its arguments happen to parse.</li>
        <li>Honour <code>x-should-retry: false</code>, as the official libraries do. Retrying on top of the gateway multiplies the requests that it has just made.</li>
        <li>In CI, where nobody watches tokens arrive, send <code>X-Ohm-Commit: complete</code>: you get a whole answer or an error, nothing between.</li>
        <li>Where the model must not change (evaluations, regression tests), send <code>X-Ohm-Fallback: off</code> and check <code>X-Ohm-Model</code>.</li>
        <li>Give your client a longer time-out than the tiers’ budgets together. If it hangs up first, the call counts as <em>client left</em>.</li>
        <li>Keep <code>X-Ohm-Request-Id</code> in your logs. <code>GET /api/v1/calls/{'{id}'}</code> shows every attempt of the call.</li>
        <li>Test your own error handling against <Link className="link" href="/docs/sandbox">the sandbox</Link>: <code>text:5,reset</code> is a truncation on demand.</li>
        <li>Which tiers a call would ask now is what the MCP tool <Link className="link" href="/docs/apis#mcp"><code>ohm_providers</code></Link> says. It is no failover telemetry.</li>
        <li>Codes and what to do about each: <Link className="link" href="/docs/errors">error codes</Link>.</li>
      </ul>
    </Prose>
  );
}
