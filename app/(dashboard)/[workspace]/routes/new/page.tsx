import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { requireMember } from '@/app/_auth/session';
import { Breadcrumbs, Empty, LinkButton, PageHeader } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { mayAct } from '@/lib/tenancy';
import { RouteEditor } from '../_components/route-editor';
import { editorContext, failoverPolicy } from '../data';

export const metadata: Metadata = { title: 'New route' };

export default async function NewRoutePage({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace } = await params;
  const { actor } = await requireMember(workspace);
  if (!mayAct(actor.role, 'admin')) notFound();
  const { tenancy, env } = await runtime();
  const { connections, routeNames } = await editorContext(tenancy, actor);
  return (
    <>
      <Breadcrumbs items={[{ label: 'Routes', href: `/${workspace}/routes` }, { label: 'New' }]} />
      <PageHeader title="New route" lead="Give it a name, then put its tiers in the order in which they should be tried." />
      {connections.length === 0 ? (
        <Empty title="No connection to build a tier on" action={<LinkButton variant="primary" href={`/${workspace}/connections`}>Add a connection</LinkButton>}>
          A tier is a model on a connection. Add a provider first.
        </Empty>
      ) : (
        <RouteEditor workspace={workspace} route={null} connections={connections} otherRoutes={routeNames} publicUrl={env.publicUrl} policy={failoverPolicy()} mayEdit />
      )}
    </>
  );
}
