import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { Breadcrumbs, Card, LinkButton, Notice, PageHeader } from '@/app/_ui';
import { mayAct } from '@/lib/tenancy';
import { AlertForm } from '../_components/alert-form';
import { firstDefaults } from '../_components/first-defaults';
import { createAlertAction } from '../actions';
import { alertChoices } from '../choices';

export const metadata: Metadata = { title: 'New alert' };

export default async function NewAlertPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const path = `/${slug}/alerts`;
  if (!mayAct(actor.role, 'developer')) {
    return <Notice tone="warning" action={<LinkButton size="sm" href={path}>Back to the alerts</LinkButton>}>Making an alert needs the role developer or higher; yours is {actor.role}.</Notice>;
  }
  return (
    <div className="max-w-2xl">
      <Breadcrumbs items={[{ label: 'Alerts', href: path }, { label: 'New' }]} />
      <PageHeader title="New alert" />
      <Card><AlertForm action={createAlertAction.bind(null, slug)} defaults={firstDefaults()} choices={await alertChoices(actor)} submit="Watch" cancel={path} /></Card>
    </div>
  );
}
