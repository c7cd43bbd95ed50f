import type { Metadata } from 'next';
import Link from 'next/link';
import { Chip, Facts, Mono, Notice, Section, Table, TBody, Td, Th, THead, Time, TRow } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import type { PublicStatus } from '@/lib/claims';

export const metadata: Metadata = { title: 'Status', description: 'What works at this moment, seen from the process that answers.' };
export const dynamic = 'force-dynamic';

const WORDS: Record<PublicStatus['status'], { tone: 'good' | 'warning' | 'danger'; title: string; text: string }> = {
  operational: { tone: 'good', title: 'All of it works', text: 'Everything that calls depend on answers, and no claim fails.' },
  degraded: { tone: 'warning', title: 'Calls are served, but a claim fails', text: 'A probe saw the product do something else than it says. The claims below say which.' },
  draining: { tone: 'warning', title: 'This process is shutting down', text: 'Open streams are finished; new calls are refused with 503.' },
  down: { tone: 'danger', title: 'Calls are not served here', text: 'Something that calls depend on does not answer.' },
};

const NAMES: Record<string, string> = { database: 'Database', journal: 'Call journal', sandbox: 'Sandbox provider', store: 'Store of answers and counters' };

export default async function StatusPage() {
  const { claims } = await runtime();
  const status = await claims.publicStatus();
  const words = WORDS[status.status];
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">Status</h1>
      <p className="mt-2 mb-6 text-sm text-muted">Seen from this process, <Time at={status.generated_at} />. Reload to look again.</p>
      <Notice tone={words.tone} title={words.title} className="mb-8">{words.text}</Notice>
      <Section title="Components" bare>
        <Table caption="State of each component">
          <THead><Th>Component</Th><Th>State</Th><Th>Detail</Th></THead>
          <TBody>
            {status.components.map((component) => (
              <TRow key={component.name}>
                <Td>{NAMES[component.name] ?? component.name}</Td>
                <Td>{component.status === 'operational' ? <Chip tone="good">answers</Chip> : <Chip tone="danger">does not answer</Chip>}</Td>
                <Td className="text-muted">{component.detail}</Td>
              </TRow>
            ))}
          </TBody>
        </Table>
      </Section>
      <Section title="Claims" lead="The probes call this process through its own door and look at what comes out.">
        <Facts
          items={[
            { name: 'Checked', value: <Time at={status.claims.last_run_at} none="not yet" /> },
            { name: 'Failing', value: <ClaimLinks ids={status.claims.failing} /> },
            { name: 'Stale', value: <ClaimLinks ids={status.claims.stale} /> },
            { name: 'All', value: <Link className="link" href="/honesty">{status.claims.total} claims</Link> },
          ]}
        />
      </Section>
      <Section title="For machines">
        <ul className="text-sm">
          <li className="py-0.5"><a className="link" href="/v1/public/status"><Mono>/v1/public/status</Mono></a> this page as JSON</li>
          <li className="py-0.5"><a className="link" href="/ready"><Mono>/ready</Mono></a> 200 or 503, for load balancers</li>
          <li className="py-0.5"><a className="link" href="/healthz"><Mono>/healthz</Mono></a> the process only</li>
        </ul>
        <p className="mt-3 text-xs text-muted">Build {status.build.version}{status.build.commit ? `, commit ${status.build.commit}` : ''}. A history of availability is not kept in this version.</p>
      </Section>
    </>
  );
}

function ClaimLinks({ ids }: { ids: string[] }) {
  if (ids.length === 0) return <>none</>;
  return <>{ids.map((id, at) => <span key={id}>{at > 0 ? ', ' : ''}<Link className="link" href={`/honesty#${id}`}>{id.replaceAll('_', ' ')}</Link></span>)}</>;
}
