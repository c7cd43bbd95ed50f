import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { requireMember } from '@/app/_auth/session';
import { Empty, LinkButton, Notice, PageHeader, Pagination } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { keyListQuery, namedListQuery } from '@/lib/management/schemas';
import { listCalls } from '@/lib/metering';
import { isRefusal } from '@/lib/std';
import { listKeys, listRoutes } from '@/lib/tenancy';
import { CallTable } from './_components/call-table';
import { FilterBar } from './_components/filter-bar';
import { addressOf, filtersSet, notUnderstood, ownTime, queryOf, RANGES, readFilters } from './_components/filters';
import { NewerHint } from './_components/newer-hint';

const PAGE = 50;

export const metadata: Metadata = { title: 'Calls' };

export default async function CallsPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: Promise<Record<string, string | string[] | undefined>> }) {
  const { workspace } = await params;
  const search = await searchParams;
  const { cursor, ...filters } = readFilters(search);
  const ignored = notUnderstood(search);
  const here = `/${workspace}/calls`;
  const { actor } = await requireMember(workspace);
  const { ledger, tenancy } = await runtime();
  const [{ data: calls, next_cursor }, keys, routes] = await Promise.all([
    listCalls(ledger, actor.workspaceId, { ...queryOf(filters, Date.now()), limit: PAGE, cursor }).catch((error: unknown) => {
      if (isRefusal(error) && error.code === 'invalid') redirect(addressOf(here, filters)); // a cursor that is none of ours
      throw error;
    }),
    listKeys(tenancy, actor, keyListQuery.parse({ limit: 100 })),
    listRoutes(tenancy, actor, namedListQuery.parse({ limit: 100 })),
  ]);
  const anySet = filtersSet(filters);
  const newest = calls[0];
  return (
    <>
      <PageHeader
        title="Calls"
        lead="Every call, whatever became of it: finished, truncated, rejected, left by its client."
        actions={
          <>
            {cursor === undefined ? <NewerHint address={addressOf(`${here}/newer`, filters, newest?.id)} since={newest?.id ?? ''} /> : null}
            <LinkButton href={addressOf(`${here}/exports`, filters)}>Export</LinkButton>
          </>
        }
      />
      {ignored.length === 0 ? null : (
        <Notice tone="warning" className="mb-4">
          The address has a value that means nothing here, for {ignored.join(', ')}: the calls below are not filtered by it.
        </Notice>
      )}
      <FilterBar here={here} filters={filters} keys={keys.data.map(({ id, name }) => ({ id, name }))} routes={routes.data.map((route) => route.name)} anySet={anySet || ownTime(filters)} />
      {calls.length === 0 ? (
        <Nothing workspace={workspace} here={here} range={ownTime(filters) ? 'the one in the address' : RANGES[filters.range].label.toLowerCase()} anySet={anySet} all={filters.range === 'all' && !ownTime(filters)} />
      ) : (
        <>
          <CallTable calls={calls} here={here} keyNames={new Map(keys.data.map((key) => [key.id, key.name]))} />
          <Pagination
            first={cursor === undefined ? null : addressOf(here, filters)}
            next={next_cursor === null ? null : addressOf(here, filters, next_cursor)}
            shown={`${calls.length} ${calls.length === 1 ? 'call' : 'calls'} on this page`}
          />
        </>
      )}
    </>
  );
}

function Nothing({ workspace, here, range, anySet, all }: { workspace: string; here: string; range: string; anySet: boolean; all: boolean }) {
  if (anySet || !all) {
    return (
      <Empty title={anySet ? 'No call matches these filters' : `No calls in this time: ${range}`} action={<LinkButton href={`${here}?range=all`}>Look at all calls, at any time</LinkButton>}>
        A call shows up here as soon as it has ended, failed and refused ones too.
      </Empty>
    );
  }
  return (
    <Empty title="No calls yet" action={<LinkButton variant="primary" href={`/${workspace}/keys`}>Issue a key</LinkButton>}>
      Issue a key, send a request with it, and its call stands here with every attempt that was made for it.
    </Empty>
  );
}
