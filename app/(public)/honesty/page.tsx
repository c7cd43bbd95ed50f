import type { Metadata } from 'next';
import Link from 'next/link';
import { CodeBlock, Facts, formatCount, formatDuration, formatShare, Mono, NOT_REPORTED, Notice, Section, Table, TBody, Td, Th, THead, Time, TRow } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import type { ClaimView, HonestyDocument, ProbeResult } from '@/lib/claims';
import { ClaimStatusChip, STATUS_ORDER, statusMeaning } from '../_components/claim-status';
import { ProbeHistory } from './_components/probe-history';

export const metadata: Metadata = { title: 'Honesty', description: 'What this installation claims in public, each claim with the probe that checked it and what it saw.' };
export const dynamic = 'force-dynamic';

/** Results shown per probe in its strip. */
const STRIP = 40;

export default async function HonestyPage() {
  const { claims, env } = await runtime();
  const document = await claims.document();
  const history = await claims.history(STRIP * document.claims.length);
  const ordered = document.claims.toSorted((a, b) => STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status));
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">Honesty</h1>
      <p className="mt-3 mb-6 max-w-3xl text-base text-muted">
        What this installation says of itself, and how it knows. A probe makes real calls through this process’s own door against a provider that fails on command, and looks at them from both ends and in the ledger. A status follows from the latest results; nobody types it in.
      </p>
      {document.probes.blind ? <Notice tone="warning" title="The probes cannot see anything right now" className="mb-6">{document.probes.blind} What is shown is what was known last.</Notice> : null}
      <Summary document={document} />
      <ul className="mb-8">{ordered.map((claim) => <Claim key={claim.id} claim={claim} history={history} />)}</ul>
      <Figures document={document} />
      <Section title="The same for machines" lead="Versioned, cacheable, readable from any origin. The schema is JSON Schema 2020-12.">
        <CodeBlock title="curl" text={`curl -sS ${env.publicUrl}/v1/public/honesty\ncurl -sS ${env.publicUrl}/v1/public/honesty/schema\ncurl -sS -X POST ${env.publicUrl}/v1/public/honesty/run`} />
      </Section>
    </>
  );
}

function Summary({ document }: { document: HonestyDocument }) {
  const count = (status: ClaimView['status']) => document.claims.filter((claim) => claim.status === status).length;
  const present = STATUS_ORDER.filter((status) => count(status) > 0);
  return (
    <div className="mb-8 grid gap-4 border-y border-line py-4 sm:grid-cols-2">
      <ul className="flex flex-col gap-1.5 text-sm">
        {present.map((status) => (
          <li key={status} className="grid grid-cols-[1.5rem_6.5rem_1fr] items-baseline gap-x-2"><span className="text-right tabular-nums">{count(status)}</span><span><ClaimStatusChip status={status} /></span><span className="text-muted">{statusMeaning(status)}</span></li>
        ))}
      </ul>
      <Facts
        items={[
          { name: 'Last run', value: <Time at={document.probes.last_run_at} none="not yet" /> },
          { name: 'Runs', value: `every ${Math.round(document.probes.interval_s / 60)} min; stale after ${Math.round(document.probes.stale_after_s / 60)} min` },
          { name: 'Process', value: <Mono>{document.process}</Mono> },
          { name: 'Build', value: `${document.build.version}${document.build.commit ? `, ${document.build.commit}` : ''}` },
          { name: 'Journal', value: document.journal.meaning },
        ]}
      />
    </div>
  );
}

function Claim({ claim, history }: { claim: ClaimView; history: ProbeResult[] }) {
  return (
    <li id={claim.id} className="scroll-mt-20 border-b border-line py-4 target:bg-accent-soft">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-base font-medium"><a href={`#${claim.id}`} className="hover:underline">{claim.id.replaceAll('_', ' ')}</a></h2>
        <ClaimStatusChip status={claim.status} />
      </div>
      <p className="mt-1 max-w-3xl text-sm">{claim.statement} <Link className="link" href={new URL(claim.docs).pathname + new URL(claim.docs).hash}>Contract</Link></p>
      {claim.reason ? <p className="mt-1 max-w-3xl text-sm text-muted">{claim.reason}</p> : null}
      {claim.evidence?.map((evidence) => (
        <div key={evidence.probe ?? evidence.how} className="mt-2 max-w-3xl text-sm text-muted">
          <p>{evidence.how}</p>
          {evidence.saw && evidence.result === 'passed' ? <p className="mt-0.5 text-text">{evidence.saw}</p> : null}
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
            {evidence.probe ? <Mono>{evidence.probe}</Mono> : null}
            <Time at={evidence.checked_at} />
            {evidence.duration_ms === null ? null : <span className="tabular-nums">{evidence.duration_ms} ms</span>}
            {evidence.probe ? <ProbeHistory results={history.filter((result) => result.probe === evidence.probe).slice(0, STRIP)} /> : null}
          </p>
        </div>
      ))}
      {claim.limits ? <p className="mt-2 max-w-3xl text-xs text-muted">Limits: {claim.limits}</p> : null}
    </li>
  );
}

function Figures({ document }: { document: HonestyDocument }) {
  const { values, source, reason } = document.figures;
  const names = Object.keys(values).filter((name) => !name.endsWith('_n') && !name.startsWith('window_'));
  return (
    <Section
      title="Figures"
      bare
      lead={source === 'probes' ? 'Computed from the ledger rows of the probes: fewer than 20 workspaces have calls, and figures of few would tell of one.' : 'Computed from the ledger rows of all workspaces.'}
    >
      {names.length === 0 ? <p className="text-sm text-muted">{reason}</p> : (
        <>
          <Table caption="Figures from the ledger">
            <THead><Th>Figure</Th><Th figure>Value</Th><Th figure>n</Th></THead>
            <TBody>
              {names.map((name) => (
                <TRow key={name}><Td>{figureName(name)}</Td><Td figure>{figureText(name, values[name] ?? null)}</Td><Td figure>{values[`${name}_n`] ?? ''}</Td></TRow>
              ))}
            </TBody>
          </Table>
          <p className="mt-2 text-xs text-muted">From <Time at={values.window_from ?? null} /> to <Time at={values.window_to ?? null} />.</p>
        </>
      )}
    </Section>
  );
}

const figureName = (name: string): string => name.replace(/_(share|ms)$/, '').replaceAll('_', ' ');

/** Units stand in the ledger's names: `_share` of one, `_ms`. */
function figureText(name: string, value: number | string | null): string {
  if (value === null || typeof value === 'string') return value ?? NOT_REPORTED;
  if (name.endsWith('_share')) return formatShare(value, 1);
  return name.endsWith('_ms') ? formatDuration(value) : formatCount(value);
}
