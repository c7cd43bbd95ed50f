import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Breadcrumbs, Card, PageHeader } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { listRoutes, mayAct } from '@/lib/tenancy';
import { everyPage } from '../../_components/every-page';
import { NeedsRole } from '../../_components/needs-role';
import { IssueKeyForm } from '../_components/issue-key-form';
import { saversDefaults } from '../_components/savers-defaults';
import { usualRoute } from '../_components/usual-route';
import { issueKeyAction } from '../actions';

export const metadata: Metadata = { title: 'Issue key' };

export default async function NewKeyPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy, env } = await runtime();
  const { route, from } = await queryOf(searchParams);
  const listed = await found(everyPage((page) => listRoutes(tenancy, actor, page)));
  const routes = listed.map((item) => item.name);
  const defaultRoute = route !== undefined && routes.includes(route) ? route : usualRoute(listed);
  return (
    <div className="max-w-xl">
      <Breadcrumbs items={[{ label: 'Keys', href: `/${slug}/keys` }, { label: 'Issue' }]} />
      <PageHeader title="Issue key" lead="The key is shown once, right after this." />
      {mayAct(actor.role, 'developer') ? (
        <Card>
          <IssueKeyForm
            action={issueKeyAction.bind(null, slug)} routes={routes} origin={env.publicUrl} workspace={slug} backToOverview={from === 'overview'}
            defaults={{ name: '', limits: {}, defaultRoute, strictRoute: false, directModels: false, saving: saversDefaults(slug, null), replay: { enabled: true, ttl_s: 3_600, scope: 'key' } }}
          />
        </Card>
      ) : (
        <NeedsRole act="Issuing a key" least="developer" role={actor.role} back={{ href: `/${slug}/keys`, label: 'Back to the keys' }} />
      )}
    </div>
  );
}
