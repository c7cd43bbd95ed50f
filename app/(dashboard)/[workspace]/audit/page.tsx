import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { hrefWith, queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Breadcrumbs, Button, Empty, LinkButton, Notice, PageHeader, Pagination, TextField } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { auditQuery } from '@/lib/management/schemas';
import { checkAuditLog, listAuditEntries, mayAct, type Role } from '@/lib/tenancy';
import { NeedsRole } from '../_components/needs-role';
import { AuditTable } from './_components/audit-table';
import { namesOfActors } from './_components/names-of-actors';

export const metadata: Metadata = { title: 'Audit log' };

export default async function AuditPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  if (!mayAct(actor.role, 'admin')) return <NotForThisRole slug={slug} role={actor.role} />;
  const { tenancy } = await runtime();
  const query = await queryOf(searchParams);
  const path = `/${slug}/audit`;
  const { action, target, cursor } = query;
  const parsed = auditQuery.safeParse({ action, target, cursor });
  const [page, check] = await Promise.all([
    parsed.success ? listAuditEntries(tenancy, actor, parsed.data) : null,
    query.check === undefined ? null : checkAuditLog(tenancy, actor),
  ]);
  const names = await namesOfActors(tenancy, actor, page?.data ?? []);
  return (
    <>
      <Breadcrumbs items={[{ label: 'Settings', href: `/${slug}/settings` }, { label: 'Audit log' }]} />
      <PageHeader
        title="Audit log" lead="Who changed what, and who read kept texts. Entries are never edited or removed; each carries a hash over itself and the one before."
        actions={<LinkButton href={hrefWith(path, query, { check: '1' })}>Check the log</LinkButton>}
      />
      {check === null ? null : (
        <Notice tone={check.first_bad_seq === null ? 'good' : 'danger'}>
          {check.first_bad_seq === null
            ? `Checked just now from its beginning: all ${check.entries} entries are as they were written.`
            : `Entry ${check.first_bad_seq} is not what was written: it was altered, removed or put in by somebody with rights on the database. The ${check.entries} before it are whole.`}
        </Notice>
      )}
      <form className="my-4 flex flex-wrap items-end gap-3" role="search">
        <TextField label="Action or kind of thing" name="action" placeholder="key.rotated or key" defaultValue={action ?? ''} spellCheck={false} autoCapitalize="none" />
        <TextField label="Thing (id)" name="target" defaultValue={target ?? ''} spellCheck={false} autoCapitalize="none" mono />
        <Button type="submit">Show</Button>
      </form>
      {page === null ? <Notice tone="danger">The address holds a filter that cannot be read. <Link className="link" href={path}>Show all entries</Link></Notice> : null}
      {page !== null && page.data.length === 0 ? <Empty title="No such entry" /> : null}
      {page !== null && page.data.length > 0 ? (
        <>
          <AuditTable entries={page.data} names={names} path={path} />
          <Pagination first={cursor ? hrefWith(path, query, { cursor: null, check: null }) : null} next={page.next_cursor ? hrefWith(path, query, { cursor: page.next_cursor, check: null }) : null} shown={`${page.data.length} of ${page.total}${page.total_is_capped ? ' or more' : ''}`} />
        </>
      ) : null}
    </>
  );
}

function NotForThisRole({ slug, role }: { slug: string; role: Role }) {
  return (
    <>
      <Breadcrumbs items={[{ label: 'Settings', href: `/${slug}/settings` }, { label: 'Audit log' }]} />
      <PageHeader title="Audit log" />
      <NeedsRole act="Reading the audit log" least="admin" role={role} back={{ href: `/${slug}/settings`, label: 'Back to the settings' }} />
    </>
  );
}
