import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CodeBlock, Mono, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { PLANE_PROOFS, PLANE_SECTIONS, type PlaneSection } from '@/lib/claims';
import { ClaimsHere } from '../_components/claims-here';
import { DocHeader, DocHeading, Prose } from '../_components/doc';
import { ProofList } from '../_components/proofs';

export const metadata: Metadata = { title: 'Two planes: the edge', description: 'A lean front process before one or two control planes: where it sends a request, what it answers itself, and how every call keeps one row.' };
export const dynamic = 'force-dynamic'; // claims are as of now

export default async function TwoPlanesPage() {
  const { claims } = await runtime();
  const document = await claims.document();
  return (
    <>
      <DocHeader title="Two planes: the edge" lead="npm run edge starts a lean process in front of one or two control planes. It forwards, it fails over between them while the client has got nothing, and it answers JSON calls whose answer is stored." />
      {CONTENTS.map(({ id, title, body }) => (
        <section key={id} aria-labelledby={id}>
          <DocHeading id={id}>{title}</DocHeading>
          <ClaimsHere claims={document.claims} section={`/docs/two-planes#${id}`} />
          {body}
        </section>
      ))}
    </>
  );
}

const CONTENTS: { id: PlaneSection; title: string; body: ReactNode }[] = [
  { id: 'two-planes', title: 'Who does what', body: <WhoDoesWhat /> },
  { id: 'where-a-request-goes', title: 'Where a request goes', body: <WhereItGoes /> },
  { id: 'stored-answers', title: 'What the edge answers itself', body: <StoredAnswers /> },
  { id: 'one-row', title: 'One row a call', body: <OneRow /> },
  { id: 'what-it-is-not', title: 'What it is not', body: <WhatItIsNot /> },
  { id: 'running-it', title: 'Running it', body: <RunningIt /> },
  { id: 'plane-proofs', title: 'The test behind each promise', body: <ProofList sections={PLANE_SECTIONS} proofs={PLANE_PROOFS} /> },
];

function WhoDoesWhat() {
  return (
    <Prose>
      <ul>
        <li><strong>A control plane</strong> is what <code>npm start</code> runs: the gateway, the API and the pages, on PostgreSQL. Several may share one database, one Redis and one <code>OHM_SECRET</code>.</li>
        <li><strong>The edge</strong> is what clients reach when there is one. It has no database and no pages, holds no provider key and contacts no provider. It knows the addresses of its control planes, the secret, and a Redis where there is one.</li>
      </ul>
      <p>Without an edge nothing changes: control planes are reached directly, as before.</p>
    </Prose>
  );
}

const CASES = [
  { what: 'The primary cannot be reached, resets, or breaks off before its first body byte', then: 'once to the fallback, as the same call' },
  { what: 'A JSON body breaks off half way', then: 'once to the fallback: up to 32 MiB are held until they are whole' },
  { what: 'A 5xx with X-Ohm-Attempts: 0, or without it', then: 'once to the fallback; when that cannot be reached, the 5xx is given' },
  { what: 'A 5xx with X-Ohm-Attempts above 0', then: 'final: it is the end of a whole walk, and walking again would pay twice' },
  { what: 'Any other status', then: 'final' },
  { what: 'A stream that has begun', then: 'piped as it comes; if its plane dies it ends with the error frame stream_truncated and without [DONE], or by a cut connection where half a frame was out' },
  { what: 'The client leaves', then: 'the control plane’s connection is closed at once, and with it the provider’s' },
] as const;

function WhereItGoes() {
  return (
    <>
      <Prose>
        <p>Every request goes to the primary, whatever its path. What decides is what the client has got: as long as that is nothing, another control plane may be asked, once.</p>
      </Prose>
      <div className="mt-4">
        <Table caption="What the edge does with an answer of the primary">
          <THead><Th>What happens</Th><Th>What the edge does</Th></THead>
          <TBody>{CASES.map(({ what, then }) => <TRow key={what}><Td className="min-w-56">{what}</Td><Td className="min-w-56">{then}</Td></TRow>)}</TBody>
        </Table>
      </div>
      <div className="mt-6">
        <Prose>
          <p>A call may be sent twice because both control planes write it under one id. A request that is no call and may change something (a form, the management API) has no such id: it goes to the fallback only when it never left. A primary that does not answer connection attempts is asked last for two seconds, so that not every request waits as long.</p>
          <p>Request bodies are held whole, up to <code>OHM_MAX_BODY_BYTES</code> each and <code>OHM_HELD_BYTES</code> together, answers included, of which one credential has half at most; beyond that the edge says 413 or 503. A body that stops coming for 20 s is a 408. A slow client slows its control plane down, and one that takes nothing for 60 s has left.</p>
        </Prose>
      </div>
    </>
  );
}

function StoredAnswers() {
  return (
    <Prose>
      <p>With a Redis that it shares with its control planes, the edge answers non-streamed calls whose answer is stored, with the headers and the body that a control plane gives. Streams always go to a control plane, which serves their hits.</p>
      <ul>
        <li><strong>On whose word</strong>: for a key whose calls come through an edge, the control plane leaves a <em>grant</em> in Redis: the key’s id and its workspace’s, the routes behind the names that it calls, its limits and its replay settings. It is encrypted under a key that follows from <code>OHM_SECRET</code>, lies under a keyed hash of the token, and lasts no longer than the control plane itself would believe what it knows, at most 4 s.</li>
        <li><strong>Revocation</strong>: a control plane that hears of a change takes the grant back at once; one that does not lets it run out. The edge uses what it has read for half a second. So a revoked key stops within 5 s, as everywhere.</li>
        <li><strong>Limits</strong>: requests and calls at the same time are counted in Redis by the same scripts, with the same headers. A hit is a request like any other and uses neither tokens nor money. Where a rate is used up the control plane refuses, and writes the row.</li>
        <li><strong>Doubt</strong> goes to a control plane: no grant, another option header, a body that is no request, an entry that does not open, a Redis or a journal that is away.</li>
      </ul>
    </Prose>
  );
}

function OneRow() {
  return (
    <Prose>
      <p>The edge gives each call its id and sends it along with a proof that control planes check against the secret and the caller’s own credential; what a client sends in that header is taken off. When two control planes have had the same call, its one row is of the plane that answered: a row that only says that another plane might have done better (killed, draining, gone before anything was sent) gives way, in whichever order they come. Hourly sums and budgets follow, and what a call holds of a budget does not stand in its own way.</p>
      <p>For a hit of its own the edge writes the row into a journal in <code>OHM_DATA_DIR/edge</code> before the last byte leaves, and carries it to a control plane, signed, as often as it takes. Rows of an edge that was killed are brought home by the next one on the same folder. Until then such a call is not in the list: usually a tenth of a second.</p>
    </Prose>
  );
}

function WhatItIsNot() {
  return (
    <Prose>
      <ul>
        <li>No cache of streams, and no content network: one process, where you run it.</li>
        <li>No second opinion: it never asks two control planes at once, and none after the client has got content.</li>
        <li>No way around the gateway: keys are checked, limits counted and rows written for every call.</li>
      </ul>
    </Prose>
  );
}

const VARIABLES = [
  ['OHM_EDGE_PRIMARY', 'Origin of the control plane. The only one that must be set.'],
  ['OHM_EDGE_FALLBACK', 'Origin of the other one.'],
  ['OHM_EDGE_PORT, OHM_EDGE_HOST', 'Where it listens: 3100 on 127.0.0.1.'],
  ['OHM_SECRET', 'That of the control planes. On the data folder of one that made its own, it is found there.'],
  ['REDIS_URL', 'Theirs. Without it the edge only forwards.'],
  ['OHM_DATA_DIR', 'For its journal.'],
] as const;

function RunningIt() {
  return (
    <>
      <Table caption="Variables of the edge">
        <THead><Th>Variable</Th><Th>What it says</Th></THead>
        <TBody>{VARIABLES.map(([name, says]) => <TRow key={name}><Td className="whitespace-nowrap"><Mono>{name}</Mono></Td><Td className="min-w-56">{says}</Td></TRow>)}</TBody>
      </Table>
      <div className="mt-6 max-w-3xl"><CodeBlock title="Two control planes and an edge" text={'# both: DATABASE_URL, OHM_SECRET and REDIS_URL of one installation\nPORT=3000 OHM_TRUSTED_PROXIES=1 npm start\nPORT=3001 OHM_TRUSTED_PROXIES=1 npm start\n\nOHM_EDGE_PRIMARY=http://127.0.0.1:3000 OHM_EDGE_FALLBACK=http://127.0.0.1:3001 npm run edge'} /></div>
      <div className="mt-6">
        <Prose>
          <ul>
            <li><strong>Who the client is</strong>: the edge appends its client’s address to <code>X-Forwarded-For</code> and names itself in <code>Via</code>. A control plane believes as many entries from the end as <code>OHM_TRUSTED_PROXIES</code> says: 1 for the edge, 2 for an edge behind a load balancer. Let nobody but the edge reach a control plane that counts it.</li>
            <li><strong>Readiness</strong>: <code>GET /ready</code> is the edge’s own: primary, fallback, redis and journal by name, 200 while one of the planes is. <code>GET /healthz</code> asks nobody.</li>
            <li><strong>The end</strong>: on SIGTERM it is not ready first and refuses new calls; open ones finish within <code>OHM_DRAIN_MS</code>, then streams end in-band. A second signal ends it at once.</li>
            <li><strong>Clocks</strong> of the edge and its control planes should agree to a second; where they do not, the edge answers less itself, never more.</li>
          </ul>
          <p>How calls themselves behave is in <Link className="link" href="/docs/streaming-failover">the contract</Link>.</p>
        </Prose>
      </div>
    </>
  );
}
