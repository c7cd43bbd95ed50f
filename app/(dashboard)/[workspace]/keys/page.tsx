import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { hrefWith, queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Button, Empty, LinkButton, Mono, Notice, PageHeader, Pagination, SelectField, Table, TBody, Td, TdName, TextField, Th, THead, Time, TRow, ZoneName } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { KEY_STATES, keyListQuery, type KeyView } from '@/lib/management/schemas';
import { listKeys, mayAct } from '@/lib/tenancy';
import { hasOwnTiers } from './_components/key-words';
import { KeyStateChip } from './_components/key-state';

export const metadata: Metadata = { title: 'Keys' };

const SORTS = { created: 'Newest first', last_used: 'Last used first', expires: 'Expiring first', name: 'Name' };

export default async function KeysPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy, env } = await runtime();
  const query = await queryOf(searchParams);
  const parsed = keyListQuery.safeParse({ q: query.q, state: query.state, sort: query.sort, cursor: query.cursor });
  const page = parsed.success ? await found(listKeys(tenancy, actor, parsed.data)) : null;
  const path = `/${slug}/keys`;
  const issue = mayAct(actor.role, 'developer') ? <LinkButton href={`${path}/new`} variant="primary">Issue key</LinkButton> : null;
  const filtered = Boolean(query.q || query.state);
  return (
    <>
      <PageHeader title="Keys" lead={<>What clients present to <Mono>{env.publicUrl}/v1</Mono>. Only a hash of each is stored.</>} actions={issue} />
      {page !== null && page.data.length === 0 && !filtered && !query.cursor ? (
        <Empty title="No keys yet" action={issue}>A key opens the gateway for one client. It is shown once, when it is issued.</Empty>
      ) : (
        <>
          <Filters query={query} />
          {page === null ? <Notice tone="danger">The address holds a filter that does not exist. <Link className="link" href={path}>Show all keys</Link></Notice> : null}
          {page !== null && page.data.length === 0 ? <Empty title="No key matches" action={<LinkButton href={path}>Show all keys</LinkButton>} /> : null}
          {page !== null && page.data.length > 0 ? (
            <>
              <KeyTable slug={slug} keys={page.data} nowMs={Date.now()} sort={parsed.data?.sort ?? 'created'} />
              <Pagination
                first={query.cursor ? hrefWith(path, query, { cursor: null }) : null}
                next={page.next_cursor ? hrefWith(path, query, { cursor: page.next_cursor }) : null}
                shown={`${page.data.length} of ${page.total}${page.total_is_capped ? ' or more' : ''}`}
              />
            </>
          ) : null}
        </>
      )}
    </>
  );
}

/** A plain GET form: the filters stand in the address and work without script. */
function Filters({ query }: { query: Record<string, string> }) {
  return (
    <form className="mb-4 flex flex-wrap items-end gap-3" role="search">
      <TextField label="Search by name" name="q" type="search" defaultValue={query.q} className="min-w-40 flex-1" />
      <SelectField label="State" name="state" defaultValue={query.state ?? ''}>
        <option value="">Any</option>
        {KEY_STATES.map((state) => <option key={state} value={state}>{state}</option>)}
      </SelectField>
      <SelectField label="Order" name="sort" defaultValue={query.sort ?? 'created'}>
        {Object.entries(SORTS).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
      </SelectField>
      <Button type="submit">Show</Button>
    </form>
  );
}

function KeyTable({ slug, keys, nowMs, sort }: { slug: string; keys: KeyView[]; nowMs: number; sort: keyof typeof SORTS }) {
  return (
    <Table caption="Keys">
      <THead>
        <Th sort={sort === 'name' ? 'ascending' : undefined}>Name</Th>
        <Th>State</Th>
        <Th>Token</Th>
        <Th>Default route</Th>
        <Th sort={sort === 'last_used' ? 'descending' : undefined}>Last used</Th>
        <Th sort={sort === 'expires' ? 'ascending' : undefined}>Expires (<ZoneName />)</Th>
        <Th sort={sort === 'created' ? 'descending' : undefined}>Issued (<ZoneName />)</Th>
        <Th><span className="sr-only">Calls</span></Th>
      </THead>
      <TBody>
        {keys.map((key) => (
          <TRow key={key.id}>
            <TdName><Link className="link" href={`/${slug}/keys/${key.id}`}>{key.name}</Link></TdName>
            <Td><KeyStateChip value={key} nowMs={nowMs} /></Td>
            <Td><Mono className="whitespace-nowrap text-muted">{key.masked}</Mono></Td>
            <TdName>{hasOwnTiers(key) ? 'own tiers' : (key.default_route ?? <span className="text-muted">none</span>)}</TdName>
            <Td><Time at={key.last_used_at} format="relative" /></Td>
            <Td><Time at={key.expires_at} zone={false} /></Td>
            <Td><Time at={key.created_at} zone={false} /></Td>
            <Td><Link className="link text-xs whitespace-nowrap" href={`/${slug}/calls?key=${key.id}`} aria-label={`Calls of ${key.name}`}>Calls</Link></Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}
