import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { Breadcrumbs, LinkButton, Mono, PageHeader } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { getRoute, listMembers, listRouteVersions, mayAct } from '@/lib/tenancy';
import { ForgetAnswers } from '../../_replay/forget-answers';
import { DeleteRoute } from '../_components/delete-route';
import { RouteEditor } from '../_components/route-editor';
import { RouteTest } from '../_components/route-test';
import { VersionHistory } from '../_components/version-history';
import { editorContext, failoverPolicy } from '../data';

const VERSIONS = 20;

/** Asked here too: what is not there must not have this page's title. */
export async function generateMetadata({ params }: { params: Promise<{ workspace: string; route: string }> }): Promise<Metadata> {
  const { workspace, route: id } = await params;
  const { actor } = await requireMember(workspace);
  const { tenancy } = await runtime();
  const { name } = await found(getRoute(tenancy, actor, { id }));
  return { title: `Route ${name}` };
}

export default async function RoutePage({ params }: { params: Promise<{ workspace: string; route: string }> }) {
  const { workspace, route: id } = await params;
  const { actor } = await requireMember(workspace);
  const { tenancy, env } = await runtime();
  const [route, versions, context, members] = await found(
    Promise.all([
      getRoute(tenancy, actor, { id }),
      listRouteVersions(tenancy, actor, { id, limit: VERSIONS, cursor: undefined }),
      editorContext(tenancy, actor),
      listMembers(tenancy, actor),
    ]),
  );
  const mayEdit = mayAct(actor.role, 'admin');
  return (
    <>
      <Breadcrumbs items={[{ label: 'Routes', href: `/${workspace}/routes` }, { label: route.name }]} />
      <PageHeader
        title={<>Route <Mono>{route.name}</Mono></>}
        lead={route.default_of_keys.length === 0 ? 'No key has it as its default.' : `The default of ${route.default_of_keys.join(', ')}.`}
        actions={
          <>
            <LinkButton href={`/${workspace}/calls?route=${encodeURIComponent(route.name)}`}>Its calls</LinkButton>
            {mayAct(actor.role, 'developer') ? <ForgetAnswers workspace={workspace} of={{ route: route.id }} /> : null}
            {mayEdit ? <DeleteRoute workspace={workspace} route={route} /> : null}
          </>
        }
      />
      <RouteEditor
        workspace={workspace}
        route={route}
        connections={context.connections}
        otherRoutes={context.routeNames.filter((name) => name !== route.name)}
        publicUrl={env.publicUrl}
        policy={failoverPolicy()}
        mayEdit={mayEdit}
      />
      {mayAct(actor.role, 'developer') ? <RouteTest workspace={workspace} route={route} /> : null}
      <VersionHistory
        workspace={workspace}
        route={route}
        versions={versions.data}
        authors={Object.fromEntries(members.map((member) => [member.user_id, member.email]))}
        more={versions.next_cursor !== null}
        mayEdit={mayEdit}
      />
    </>
  );
}
