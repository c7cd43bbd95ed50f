import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { callSnippets, moreClients } from '@/app/_shell/snippets';
import { CodeBlock } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { API_PROOFS, API_SECTIONS, type ApiSection } from '@/lib/claims';
import { ClaimsHere } from '../_components/claims-here';
import { DocHeader, DocHeading, Prose } from '../_components/doc';
import { ProofList } from '../_components/proofs';
import { AnswersTable, ApiHeadersTable, EndingsTable, EndpointsTable, RequestsTable } from './_components/tables';

export const metadata: Metadata = { title: 'APIs, clients and translation', description: 'Which APIs a client may speak, how to point each library here, and what survives when a provider speaks another one.' };
export const dynamic = 'force-dynamic'; // claims are as of now, and the snippets hold this installation's address

export default async function ApisPage() {
  const { claims, env } = await runtime();
  const document = await claims.document();
  return (
    <>
      <DocHeader title="APIs, clients and translation" lead="Speak whichever API your client already speaks; any provider may answer. Tiers, the commit, failover, limits, replay and the ledger are the same behind each." />
      {contents(env.publicUrl).map(({ id, title, body }) => (
        <section key={id} aria-labelledby={id}>
          <DocHeading id={id}>{title}</DocHeading>
          <ClaimsHere claims={document.claims} section={`/docs/apis#${id}`} />
          {body}
        </section>
      ))}
    </>
  );
}

function contents(origin: string): { id: ApiSection; title: string; body: ReactNode }[] {
  return [
    { id: 'endpoints', title: 'Endpoints', body: <EndpointsTable /> },
    { id: 'clients', title: 'Point a client here', body: <Clients origin={origin} /> },
    { id: 'same-api', title: 'The same API on both sides', body: <SameApi /> },
    { id: 'translation', title: 'Another API on the other side', body: <Translation /> },
    { id: 'losses', title: 'How a loss is told', body: <Losses /> },
    { id: 'signatures', title: 'Thinking that has to go back', body: <Signatures /> },
    { id: 'api-errors', title: 'Errors in each API', body: <EndingsTable /> },
    { id: 'api-headers', title: 'Headers', body: <ApiHeadersTable /> },
    { id: 'mcp', title: 'For agents: readiness as an MCP tool', body: <Readiness origin={origin} /> },
    { id: 'api-proofs', title: 'The test behind each promise', body: <ProofList sections={API_SECTIONS} proofs={API_PROOFS} /> },
  ];
}

function Clients({ origin }: { origin: string }) {
  return (
    <>
      <Prose>
        <p>One key opens all of them. The model is a route’s name, <code>auto</code> for the key’s default, <code>eco</code> for the cheapest that is able, or a model that the key may use. Clients made for OpenAI want the address with <code>/v1</code>; Anthropic’s library and Claude Code want it without.</p>
      </Prose>
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        {[...callSnippets({ origin }), ...moreClients(origin)].map(({ id, label, text }) => <CodeBlock key={id} title={label} text={text} />)}
      </div>
    </>
  );
}

function Readiness({ origin }: { origin: string }) {
  return (
    <>
      <Prose>
        <p><code>{origin}/mcp</code> speaks the Model Context Protocol over Streamable HTTP, without sessions. It has one tool, <code>ohm_providers</code>: which routes a key may use, their tiers in the owner’s order, and of each whether a call would ask it now, with the reason and the time where it would not. Listing the tool needs no key; asking it needs the one that you send to <code>/v1</code>.</p>
        <ul>
          <li><strong>It is not failover telemetry.</strong> It is readiness as configured and as the process that answers last saw it: <em>ready</em> says that a call would ask the tier, not that the tier would answer. Which tier served a call stands in its <code>X-Ohm-*</code> headers and in <code>GET /api/v1/calls/{'{id}'}</code>.</li>
          <li>It asks the code that routes calls, for a short chat without tools. No provider is contacted, nothing is booked, and no tier’s one probe after a failure is used up. Rates are not looked at.</li>
          <li>A tier that is only passed over is asked all the same when no other is left: <code>asked_anyway</code> says where that is so.</li>
          <li>It shows what calls with the key show. Names of connections are null unless the key may name them.</li>
        </ul>
      </Prose>
      <div className="mt-4 grid gap-4 lg:grid-cols-2">
        <CodeBlock title="Claude Code" text={`claude mcp add --transport http ohm \\\n  ${origin}/mcp \\\n  --header "Authorization: Bearer ohm_sk_…"`} />
        <CodeBlock title="mcp.json, other clients" text={JSON.stringify({ mcpServers: { ohm: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer ohm_sk_…' } } } }, null, 2)} />
      </div>
    </>
  );
}

function SameApi() {
  return (
    <Prose>
      <p>A tier whose provider speaks the client’s own API gets the client’s own bytes: unknown members, the order of keys, numbers as they were written. Changed are the model’s name, <code>stream_options.include_usage</code> on chat completions, and what a saver of yours rewrote. The answer keeps its own bytes too, ids included, but for comments, broken frames and the usage of a stream, which comes once, at its end.</p>
      <p>One more thing may be taken out: what this gateway put into an earlier answer of another provider’s for your client to keep, such as a foreign signature in a <code>thinking</code> block. The provider would refuse it, and the header names it.</p>
    </Prose>
  );
}

function Translation() {
  return (
    <>
      <Prose>
        <p>Everything else is translated event by event as it arrives; nothing is buffered to be streamed again. A failover to a tier of another API starts from the request that you sent, never from a translation of it. A tier that cannot be asked for what you want is skipped, and the call’s row says <code>cannot_represent</code>.</p>
      </Prose>
      <div className="mt-4 grid gap-4">
        <RequestsTable />
        <AnswersTable />
      </div>
    </>
  );
}

function Losses() {
  return (
    <Prose>
      <ul>
        <li><strong>A hint</strong> whose loss does not change what you asked for is left out, and <code>X-Ohm-Dropped-Params</code> lists it by the name that you gave it: <code>metadata.user_id</code> on Messages is <code>user</code> on chat completions.</li>
        <li><strong>Anything that would change the answer</strong> is never left out. If no tier of the route can be asked for it, you get 400 with <code>unsupported_parameter</code> or <code>unsupported_value</code> and its <code>param</code>, before any provider is asked.</li>
        <li><strong>A value that says the default</strong>, such as <code>n: 1</code>, is no loss.</li>
        <li><strong>In an answer</strong>, what the client’s API has no word for is listed in the last JSON frame, or in the JSON body: <code>{'"ohm":{"dropped":["server_tool_use"]}'}</code>. The provider’s own reason stands beside it as <code>native_finish_reason</code> where the client’s API has no such word.</li>
        <li><strong>An ending that is none</strong> (a provider’s unknown or failed reason) is a failure: never <code>stop</code>.</li>
        <li><strong>Not known here</strong>: files that a provider keeps, conversations that it keeps (<code>previous_response_id</code>, <code>store: true</code>), and tools that it runs itself work only where a tier speaks that API.</li>
      </ul>
    </Prose>
  );
}

function Signatures() {
  return (
    <Prose>
      <p>Several providers sign their thinking and want it back unchanged with the next turn, or refuse the turn. Send the assistant’s message back as you got it, and it is: on chat completions <code>reasoning_details</code> and a call’s <code>extra_content</code>, on Messages the <code>thinking</code> and <code>redacted_thinking</code> blocks, on Responses the <code>reasoning</code> items with <code>encrypted_content</code>. Each says whose it is, so that after a failover it is not sent to another provider.</p>
      <p>Nothing of it is kept here. Clients that throw these members away lose the thinking; where a model insists on it, the turn is asked without. See also <Link className="link" href="/docs/errors">error codes</Link>.</p>
    </Prose>
  );
}
