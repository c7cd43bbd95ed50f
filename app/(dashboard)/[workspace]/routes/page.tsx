import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { Empty, LinkButton, Mono, PageHeader, Pagination, Table, TBody, Td, TdName, Th, THead, Time, TRow } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { namedListQuery, type RouteView } from '@/lib/management/schemas';
import { listRoutes, mayAct } from '@/lib/tenancy';
import { commitWords } from './_components/route-diff';

export const metadata: Metadata = { title: 'Routes' };

export default async function RoutesPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: Promise<{ cursor?: string }> }) {
  const { workspace } = await params;
  const { cursor } = await searchParams;
  const { actor } = await requireMember(workspace);
  const { tenancy } = await runtime();
  const { data: routes, next_cursor, total, total_is_capped } = await found(listRoutes(tenancy, actor, namedListQuery.parse({ cursor })));
  const here = `/${workspace}/routes`;
  const mayEdit = mayAct(actor.role, 'admin');
  return (
    <>
      <PageHeader
        title="Routes"
        lead="A route is what a client names as its model: an ordered list of tiers, tried one after another until one answers."
        actions={mayEdit ? <LinkButton variant="primary" href={`${here}/new`}>New route</LinkButton> : null}
      />
      {routes.length === 0 ? (
        <Empty title="No routes yet" action={mayEdit ? <LinkButton variant="primary" href={`${here}/new`}>Make the first route</LinkButton> : null}>
          Order two models, and the second answers when the first cannot.
        </Empty>
      ) : (
        <>
          <Table caption="Routes">
            <THead>
              <Th>Name</Th>
              <Th>Tiers, in order</Th>
              <Th>Client gets its first byte</Th>
              <Th figure>Revision</Th>
              <Th>Edited</Th>
            </THead>
            <TBody>
              {routes.map((route) => (
                <TRow key={route.id}>
                  <TdName>
                    <Link href={`${here}/${route.id}`} className="link font-mono">{route.name}</Link>
                  </TdName>
                  <Td>
                    <ol className="flex flex-wrap gap-x-3 gap-y-0.5">
                      {route.tiers.map((tier, index) => (
                        <li key={index}>
                          <span className="text-muted tabular-nums">{index + 1} </span>
                          {'eco' in tier ? <TierEco tier={tier} /> : <><Mono>{tier.model}</Mono> <span className="text-muted">on {tier.connection}</span></>}
                        </li>
                      ))}
                    </ol>
                  </Td>
                  <Td className="whitespace-nowrap">{commitWords[route.commit]}</Td>
                  <Td figure>{route.revision}</Td>
                  <Td><Time at={route.updated_at ?? route.created_at} /></Td>
                </TRow>
              ))}
            </TBody>
          </Table>
          <Pagination
            first={cursor === undefined ? null : here}
            next={next_cursor === null ? null : `${here}?cursor=${encodeURIComponent(next_cursor)}`}
            shown={`${routes.length} of ${total}${total_is_capped ? ' or more' : ''}`}
          />
        </>
      )}
    </>
  );
}

/** The candidates of an eco tier, as short as they may be said in a list. */
function TierEco({ tier: { eco } }: { tier: Extract<RouteView['tiers'][number], { eco: unknown }> }) {
  return (
    <span title={eco.map(({ connection, model }) => `${model} on ${connection}`).join(', ')}>
      <span className="text-muted">cheapest of </span><Mono>{eco.map(({ model }) => model).join(', ')}</Mono>
    </span>
  );
}
