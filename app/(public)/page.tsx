import type { Metadata } from 'next';
import Link from 'next/link';
import { runtime } from '@/lib/boot';
import type { PublicStatus } from '@/lib/claims';
import { LinkButton, Section, Time } from '@/app/_ui';
import { CallTimeline, exampleCalls } from '@/app/_ui/timeline';
import { SnippetTabs } from '@/app/_shell/snippet-tabs';
import { callSnippets } from '@/app/_shell/snippets';

export const metadata: Metadata = { title: { absolute: 'Ohm, the honest streaming gateway' } };
export const dynamic = 'force-dynamic'; // the snippet holds this installation's own address

export default async function HomePage() {
  const { env, claims } = await runtime();
  const checked = (await claims.publicStatus()).claims;
  return (
    <>
      <Opening origin={env.publicUrl} />
      <Picture />
      <Moments />
      <CheckIt claims={checked} />
    </>
  );
}

function Opening({ origin }: { origin: string }) {
  return (
    <div className="grid gap-8 lg:grid-cols-[5fr_6fr] lg:items-start">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">The honest streaming gateway</h1>
        <p className="mt-4 text-base text-muted">
          One OpenAI-compatible endpoint that tries your model providers in the order you set, fails over only while nothing has reached your client, and says so in the stream when an answer was cut.
        </p>
        <div className="mt-6 flex flex-wrap gap-2">
          <LinkButton href="/sign-up" variant="primary">Create an account</LinkButton>
          <LinkButton href="/docs/streaming-failover">Read the contract</LinkButton>
        </div>
        <p className="mt-4 text-sm text-muted">A new workspace has a sandbox provider that fails on command, so the first call needs no account anywhere else.</p>
      </div>
      <div className="min-w-0"><SnippetTabs snippets={callSnippets({ origin })} /></div>
    </div>
  );
}

function Picture() {
  return (
    <section aria-labelledby="picture" className="mt-14">
      <h2 id="picture" className="text-lg font-semibold">What a failover looks like</h2>
      <p className="mt-1 mb-4 max-w-2xl text-sm text-muted">
        An example call on the sandbox: the first tier answers 503 twice and is dropped, the second serves. The line is the commit, the moment from which no other provider is asked. Every call in your list has this picture, drawn from its ledger row.
      </p>
      <div className="rounded-lg border border-line bg-surface p-4"><CallTimeline call={exampleCalls.failedOver} /></div>
    </section>
  );
}

const MOMENTS = [
  {
    title: 'Before the first content',
    text: 'Status, headers and opening frames are held back. If a provider refuses, stalls or breaks here, they are thrown away whole and the next tier is asked. Your client sees one answer, or one error with an honest status.',
  },
  {
    title: 'After it',
    text: 'The answer belongs to the provider that began it. If it breaks, the stream ends with an error frame that says how many bytes you have, and without [DONE]. Nothing is spliced on.',
  },
  {
    title: 'Afterwards',
    text: 'Each call has one ledger row: every attempt, why it ended, how many bytes reached you, whose token counts these are. What nobody reported says so; it is never a zero.',
  },
];

function Moments() {
  return (
    <section aria-label="What is promised" className="mt-14 grid gap-x-8 gap-y-6 md:grid-cols-3">
      {MOMENTS.map((moment) => (
        <div key={moment.title} className="border-t-2 border-accent pt-3">
          <h2 className="text-base font-semibold">{moment.title}</h2>
          <p className="mt-1.5 text-sm text-muted">{moment.text}</p>
        </div>
      ))}
    </section>
  );
}

/** The figures are those of the status document at this moment; nothing is written here by hand. */
function CheckIt({ claims }: { claims: PublicStatus['claims'] }) {
  return (
    <div className="mt-14">
      <Section title="Check it rather than believe it">
        <p className="mb-4 text-sm">
          This installation probes itself through its own door: <Link className="link" href="/honesty">{claims.total} claims</Link>, {claims.failing.length} failing, {claims.stale.length} stale, last probed <Time at={claims.last_run_at} none="not yet" />.
        </p>
        <ul className="grid gap-3 text-sm sm:grid-cols-3">
          <li><Link className="link" href="/docs/streaming-failover">The contract</Link><br /><span className="text-muted">Each promise with the test that proves it, and curl commands to try it on this installation.</span></li>
          <li><Link className="link" href="/honesty">Honesty</Link><br /><span className="text-muted">What is shipped, what is not supported and what is not measured, each with the probe that said so and when. Also as <a className="link" href="/v1/public/honesty">JSON</a>.</span></li>
          <li><Link className="link" href="/status">Status</Link><br /><span className="text-muted">What works at this moment, seen from this process.</span></li>
        </ul>
      </Section>
    </div>
  );
}
