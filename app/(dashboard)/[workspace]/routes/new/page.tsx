import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { Breadcrumbs, Empty, LinkButton, PageHeader } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { mayAct, type Actor } from '@/lib/tenancy';
import { NeedsRole } from '../../_components/needs-role';
import { RouteEditor } from '../_components/route-editor';
import { editorContext, failoverPolicy } from '../data';

export const metadata: Metadata = { title: 'New route' };

export default async function NewRoutePage({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace } = await params;
  const { actor } = await requireMember(workspace);
  return (
    <>
      <Breadcrumbs items={[{ label: 'Routes', href: `/${workspace}/routes` }, { label: 'New' }]} />
      <PageHeader title="New route" lead="Give it a name, then put its tiers in the order in which they should be tried." />
      {mayAct(actor.role, 'admin') ? (
        <EmptyEditor workspace={workspace} actor={actor} />
      ) : (
        <NeedsRole act="Making a route" least="admin" role={actor.role} back={{ href: `/${workspace}/routes`, label: 'Back to the routes' }} />
      )}
    </>
  );
}

async function EmptyEditor({ workspace, actor }: { workspace: string; actor: Actor }) {
  const { tenancy, env } = await runtime();
  const { connections, routeNames } = await editorContext(tenancy, actor);
  if (connections.length === 0) {
    return (
      <Empty title="No connection to build a tier on" action={<LinkButton variant="primary" href={`/${workspace}/connections`}>Add a connection</LinkButton>}>
        A tier is a model on a connection. Add a provider first.
      </Empty>
    );
  }
  return <RouteEditor workspace={workspace} route={null} connections={connections} otherRoutes={routeNames} publicUrl={env.publicUrl} policy={failoverPolicy()} mayEdit />;
}
