import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { hrefWith, queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Chip, Empty, LinkButton, Mono, PageHeader, Pagination, Table, TBody, Td, TdName, Th, THead, Time, TRow, ZoneName } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { namedListQuery, type ConnectionView } from '@/lib/management/schemas';
import { listConnections, mayAct } from '@/lib/tenancy';

export const metadata: Metadata = { title: 'Connections' };

export default async function ConnectionsPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const { cursor } = await queryOf(searchParams);
  const page = await found(listConnections(tenancy, actor, namedListQuery.parse({ cursor })));
  const add = mayAct(actor.role, 'admin') ? <LinkButton href={`/${slug}/connections/new`} variant="primary">Add connection</LinkButton> : null;
  const path = `/${slug}/connections`;
  return (
    <>
      <PageHeader title="Connections" lead="A connection is a credential for one provider. Tiers refer to it by name." actions={add} />
      {page.data.length === 0 ? (
        <Empty title="No connections" action={add}>Routes need one to send calls to. The sandbox needs no account anywhere.</Empty>
      ) : (
        <>
          <ConnectionTable slug={slug} connections={page.data} />
          <Pagination first={cursor ? path : null} next={page.next_cursor ? hrefWith(path, {}, { cursor: page.next_cursor }) : null} shown={`${page.data.length} of ${page.total}${page.total_is_capped ? ' or more' : ''}`} />
        </>
      )}
    </>
  );
}

function ConnectionTable({ slug, connections }: { slug: string; connections: ConnectionView[] }) {
  return (
    <Table caption="Connections">
      <THead>
        <Th>Name</Th>
        <Th>Provider</Th>
        <Th>Base URL</Th>
        <Th>Key</Th>
        <Th>Used by routes</Th>
        <Th>Edited (<ZoneName />)</Th>
      </THead>
      <TBody>
        {connections.map((connection) => (
          <TRow key={connection.id}>
            <TdName><Link className="link font-mono" href={`/${slug}/connections/${connection.id}`}>{connection.name}</Link></TdName>
            <Td>{connection.kind === 'sandbox' ? <Chip tone="info">sandbox</Chip> : connection.provider}</Td>
            <TdName>{connection.base_url === null ? <span className="text-muted">inside Ohm</span> : <Mono>{connection.base_url}</Mono>}</TdName>
            <Td><KeyEnd connection={connection} /></Td>
            <TdName>{connection.used_by_routes.length === 0 ? <span className="text-muted">none</span> : connection.used_by_routes.join(', ')}</TdName>
            <Td><Time at={connection.updated_at ?? connection.created_at} zone={false} /></Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function KeyEnd({ connection }: { connection: ConnectionView }) {
  if (connection.kind === 'sandbox') return <span className="text-muted">not needed</span>;
  if (connection.api_key_last4 !== null) return <Mono>…{connection.api_key_last4}</Mono>;
  return <span className="text-muted">{connection.has_api_key ? 'stored' : 'none'}</span>;
}
