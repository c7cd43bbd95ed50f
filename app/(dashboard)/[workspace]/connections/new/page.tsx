import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { Breadcrumbs, Card, PageHeader } from '@/app/_ui';
import { mayAct } from '@/lib/tenancy';
import { NeedsRole } from '../../_components/needs-role';
import { NewConnectionForm } from '../_components/connection-forms';
import { createConnectionAction } from '../actions';
import { presetChoices, wireChoices } from '../presets';

export const metadata: Metadata = { title: 'Add connection' };

export default async function NewConnectionPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  return (
    <div className="max-w-xl">
      <Breadcrumbs items={[{ label: 'Connections', href: `/${slug}/connections` }, { label: 'Add' }]} />
      <PageHeader title="Add connection" lead="Saving stores it and contacts nobody; the test comes after." />
      {mayAct(actor.role, 'admin') ? (
        <Card><NewConnectionForm action={createConnectionAction.bind(null, slug)} presets={presetChoices()} wires={wireChoices()} cancelHref={`/${slug}/connections`} /></Card>
      ) : (
        <NeedsRole act="Adding a connection" least="admin" role={actor.role} back={{ href: `/${slug}/connections`, label: 'Back to the connections' }} />
      )}
    </div>
  );
}
