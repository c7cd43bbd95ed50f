import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { hrefWith, queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Breadcrumbs, Button, Empty, Notice, PageHeader, Pagination, SelectField } from '@/app/_ui';
import { listDeliveries } from '@/lib/alerts';
import { runtime } from '@/lib/boot';
import { DELIVERY_STATES, deliveryQuery } from '@/lib/management/schemas';
import { mayAct } from '@/lib/tenancy';
import { DELIVERY_LOOK } from '../_components/alert-words';
import { DeliveryTable } from '../_components/delivery-table';

export const metadata: Metadata = { title: 'Deliveries' };

export default async function DeliveriesPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const query = await queryOf(searchParams);
  const path = `/${slug}/alerts/deliveries`;
  const parsed = deliveryQuery.safeParse({ state: query.state, cursor: query.cursor });
  const page = parsed.success ? await listDeliveries(tenancy, actor, parsed.data) : null;
  return (
    <>
      <Breadcrumbs items={[{ label: 'Alerts', href: `/${slug}/alerts` }, { label: 'Deliveries' }]} />
      <PageHeader title="Deliveries" lead="Every message of every alert, and what became of it. Kept for 30 days." />
      <form className="mb-4 flex flex-wrap items-end gap-3" role="search">
        <SelectField label="State" name="state" defaultValue={query.state ?? ''}>
          <option value="">Any</option>
          {DELIVERY_STATES.map((state) => <option key={state} value={state}>{DELIVERY_LOOK[state].word}</option>)}
        </SelectField>
        <Button type="submit">Show</Button>
      </form>
      {page === null ? <Notice tone="danger">The address holds a filter that does not exist. <Link className="link" href={path}>Show all deliveries</Link></Notice> : null}
      {page !== null && page.data.length === 0 ? <Empty title="No such delivery" /> : null}
      {page !== null && page.data.length > 0 ? (
        <>
          <DeliveryTable deliveries={page.data} slug={slug} mayResend={mayAct(actor.role, 'developer')} />
          <Pagination first={query.cursor ? hrefWith(path, query, { cursor: null }) : null} next={page.next_cursor ? hrefWith(path, query, { cursor: page.next_cursor }) : null} shown={`${page.data.length} of ${page.total}${page.total_is_capped ? ' or more' : ''}`} />
        </>
      ) : null}
    </>
  );
}
