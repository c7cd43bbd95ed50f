import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CallTimeline, exampleCalls } from '@/app/_ui/timeline';
import { StateChip } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { DOC_SECTIONS, PROOFS, WIRE_EXAMPLES, type DocSection } from '@/lib/claims';
import { ClaimsHere } from '../_components/claims-here';
import { DocHeader, DocHeading, Prose } from '../_components/doc';
import { ProofList } from '../_components/proofs';
import { AgentsAndCi, AfterTheFirstByte, BeforeTheFirstByte, ClientLeft, ClocksAndBounds, CommitPolicies, CommitPoint, Keys, Metering, NonStreaming, Planes, Replay, Savers, WhatFailoverIs, WhatFailoverIsNot } from './_components/prose';
import { StateDiagram } from './_components/state-diagram';
import { HeadersTables, SignalsTable, StatusesTable } from './_components/tables';
import { VerifyCommands } from './_components/verify';
import { WireExampleView } from './_components/wire-example';

export const metadata: Metadata = { title: 'Streaming and failover', description: 'When another provider is asked and when never, what a client sees in every ending, and the test behind each promise.' };
export const dynamic = 'force-dynamic'; // claims are as of now, and the commands hold this installation's address

export default async function StreamingFailoverPage() {
  const { claims, env } = await runtime();
  const document = await claims.document();
  const parts = contents(env.publicUrl);
  return (
    <>
      <DocHeader title="Streaming and failover: the contract" lead="What a client, an operator and a test can rely on. Where this page shows what goes over the wire, it was recorded from the engine, and a test fails when the engine says something else." />
      <nav aria-label="On this page" className="mb-8 max-w-3xl border-y border-line py-3">
        <ol className="columns-1 gap-8 text-sm sm:columns-2 md:columns-3">
          {parts.map((part) => <li key={part.id} className="break-inside-avoid py-0.5"><a className="link" href={`#${part.id}`}>{part.title}</a></li>)}
        </ol>
      </nav>
      {parts.map((part) => (
        <section key={part.id} aria-labelledby={part.id}>
          <DocHeading id={part.id}>{part.title}</DocHeading>
          <ClaimsHere claims={document.claims} section={`/docs/streaming-failover#${part.id}`} />
          {part.body}
        </section>
      ))}
    </>
  );
}

interface Part {
  id: DocSection;
  title: string;
  body: ReactNode;
}

function contents(base: string): Part[] {
  return [
    { id: 'what-failover-is', title: 'What failover means here', body: <FailoverDrawn /> },
    { id: 'what-failover-is-not', title: 'What it is not', body: <WhatFailoverIsNot /> },
    { id: 'the-commit-point', title: 'The commit point', body: <CommitPoint /> },
    { id: 'before-the-first-byte', title: 'Before the first byte', body: <><BeforeTheFirstByte /><div className="mt-4 grid gap-4"><SignalsTable /><StatusesTable /></div></> },
    { id: 'after-the-first-byte', title: 'After the first byte', body: <><AfterTheFirstByte /><Drawing call={exampleCalls.truncated} label="A truncated stream" /></> },
    { id: 'commit-policies', title: 'Commit policies', body: <CommitPolicies /> },
    { id: 'non-streaming', title: 'Without streaming', body: <NonStreaming /> },
    { id: 'client-left', title: 'When the client leaves', body: <ClientLeft /> },
    { id: 'clocks-and-bounds', title: 'Clocks and bounds', body: <ClocksAndBounds /> },
    { id: 'endings', title: 'Every ending on the wire', body: <Endings /> },
    { id: 'headers', title: 'Headers', body: <HeadersTables /> },
    { id: 'planes', title: 'The planes', body: <Planes /> },
    { id: 'replay', title: 'Replay', body: <Replay /> },
    { id: 'metering', title: 'Metering', body: <Metering /> },
    { id: 'savers', title: 'Savers', body: <Savers /> },
    { id: 'keys', title: 'Keys', body: <Keys /> },
    { id: 'agents-and-ci', title: 'For agents and CI', body: <AgentsAndCi /> },
    { id: 'verify-it-yourself', title: 'Verify it yourself', body: <VerifyCommands base={base} /> },
    { id: 'proofs', title: 'The test behind each promise', body: <ProofList sections={DOC_SECTIONS} proofs={PROOFS} /> },
  ];
}

function FailoverDrawn() {
  return (
    <>
      <div className="grid gap-6 lg:grid-cols-[1fr_26rem]">
        <div className="min-w-0"><WhatFailoverIs /></div>
        <StateDiagram />
      </div>
      <Drawing call={exampleCalls.stalledThenServed} label="A failover before the first byte" />
    </>
  );
}

function Drawing({ call, label }: { call: (typeof exampleCalls)[keyof typeof exampleCalls]; label: string }) {
  return (
    <figure className="mt-6 rounded-lg border border-line bg-surface p-4">
      <CallTimeline call={call} />
      <figcaption className="mt-2 text-xs text-muted">{label}: an example, drawn as each call’s page draws it.</figcaption>
    </figure>
  );
}

function Endings() {
  return (
    <>
      <Prose>
        <p>
          A call ends in one of four ways, and its ledger row names it: <StateChip state="finished" />, <StateChip state="truncated" />, <StateChip state="rejected" />, <StateChip state="aborted" />. A fifth, <StateChip state="lost" />, is what the next start writes for a call whose process was killed.
        </p>
        <p>Recorded from the engine with the <Link className="link" href="/docs/sandbox">sandbox</Link> as provider. Ids and times are replaced by fixed ones.</p>
      </Prose>
      <div className="mt-4 border-t border-line">{WIRE_EXAMPLES.map((example) => <WireExampleView key={example.id} example={example} />)}</div>
    </>
  );
}
