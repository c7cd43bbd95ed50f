import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Breadcrumbs, Chip, Facts, Mono, Notice, PageHeader, Section, Time } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import type { ConnectionView } from '@/lib/management/schemas';
import { getConnection, mayAct } from '@/lib/tenancy';
import { ConfirmByName } from '../../_components/confirm-by-name';
import { EditConnectionForm } from '../_components/connection-forms';
import { TestPanel } from '../_components/test-panel';
import { wireChoice } from '../presets';
import { deleteConnectionAction, testConnectionAction, updateConnectionAction } from '../actions';

/** Asked here too: what is not there must not have this page's title. */
export async function generateMetadata({ params }: { params: Promise<{ workspace: string; id: string }> }): Promise<Metadata> {
  const { workspace, id } = await params;
  const { actor } = await requireMember(workspace);
  const { tenancy } = await runtime();
  const { name } = await found(getConnection(tenancy, actor, { id }));
  return { title: `Connection ${name}` };
}

export default async function ConnectionPage({ params, searchParams }: { params: Promise<{ workspace: string; id: string }>; searchParams: SearchParams }) {
  const { workspace: slug, id } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const connection = await found(getConnection(tenancy, actor, { id }));
  const { created } = await queryOf(searchParams);
  return (
    <>
      <Breadcrumbs items={[{ label: 'Connections', href: `/${slug}/connections` }, { label: connection.name }]} />
      <PageHeader title={<span className="font-mono">{connection.name}</span>} />
      {created ? <Notice tone="good" live className="mb-6">Stored. Test it here, then give it a tier in a <Link className="link" href={`/${slug}/routes`}>route</Link>.</Notice> : null}
      <div className="grid items-start gap-x-6 xl:grid-cols-2">
        <div className="min-w-0">
          <About connection={connection} slug={slug} />
          {mayAct(actor.role, 'developer') ? <TestPanel action={testConnectionAction.bind(null, slug, id)} sandbox={connection.kind === 'sandbox'} /> : null}
        </div>
        {mayAct(actor.role, 'admin') ? <Editing connection={connection} slug={slug} /> : null}
      </div>
    </>
  );
}

function About({ connection, slug }: { connection: ConnectionView; slug: string }) {
  const sandbox = connection.kind === 'sandbox';
  return (
    <Section title="About">
      <Facts
        items={[
          { name: 'Provider', value: sandbox ? <Chip tone="info">sandbox</Chip> : connection.provider },
          ...(sandbox ? [] : [{ name: 'Protocol', value: wireChoice(connection.wire).label }]),
          { name: 'Base URL', value: sandbox ? 'inside this installation' : <Mono>{connection.base_url}</Mono> },
          { name: 'API key', value: sandbox ? 'not needed' : connection.has_api_key ? <>stored, encrypted{connection.api_key_last4 ? <>, ends in <Mono>{connection.api_key_last4}</Mono></> : null}</> : 'none' },
          { name: 'Used by', value: connection.used_by_routes.length === 0 ? 'no route' : <Link className="link" href={`/${slug}/routes`}>{connection.used_by_routes.join(', ')}</Link> },
          { name: 'Added', value: <Time at={connection.created_at} /> },
          { name: 'Edited', value: <Time at={connection.updated_at} /> },
        ]}
      />
    </Section>
  );
}

function Editing({ connection, slug }: { connection: ConnectionView; slug: string }) {
  const { id, name, revision, used_by_routes: routes } = connection;
  return (
    <div className="min-w-0">
      <Section title="Edit" lead="Takes effect in every process within 5 seconds.">
        <EditConnectionForm revision={revision} action={updateConnectionAction.bind(null, slug, id, revision)} name={name} baseUrl={connection.base_url} wire={wireChoice(connection.wire)} keyLast4={connection.api_key_last4} />
      </Section>
      <Section title="Delete">
        {routes.length > 0 ? (
          <p className="mb-3 text-sm">It has tiers in {routes.length === 1 ? 'the route' : 'the routes'} <strong>{routes.join(', ')}</strong>. Take them out there first; then it can be deleted.</p>
        ) : (
          <p className="mb-3 text-sm text-muted">The stored key is erased. Past calls keep the connection&rsquo;s name.</p>
        )}
        <ConfirmByName
          action={deleteConnectionAction.bind(null, slug, id, name, revision)} name={name} button="Delete connection" disabled={routes.length > 0}
          title={`Delete ${name}`} description="The stored key is erased. This cannot be undone."
        />
      </Section>
    </div>
  );
}
