import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { Breadcrumbs, Card, PageHeader } from '@/app/_ui';
import { mayAct } from '@/lib/tenancy';
import { NeedsRole } from '../../_components/needs-role';
import { AlertForm } from '../_components/alert-form';
import { firstDefaults } from '../_components/first-defaults';
import { createAlertAction } from '../actions';
import { alertChoices } from '../choices';

export const metadata: Metadata = { title: 'New alert' };

export default async function NewAlertPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const path = `/${slug}/alerts`;
  return (
    <div className="max-w-2xl">
      <Breadcrumbs items={[{ label: 'Alerts', href: path }, { label: 'New' }]} />
      <PageHeader title="New alert" />
      {mayAct(actor.role, 'developer') ? (
        <Card><AlertForm action={createAlertAction.bind(null, slug)} defaults={firstDefaults()} choices={await alertChoices(actor)} submit="Watch" cancel={path} /></Card>
      ) : (
        <NeedsRole act="Making an alert" least="developer" role={actor.role} back={{ href: path, label: 'Back to the alerts' }} />
      )}
    </div>
  );
}
