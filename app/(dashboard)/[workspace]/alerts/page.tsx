import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { Chip, Empty, LinkButton, PageHeader, Section, Table, TBody, Td, TdName, Th, THead, Time, TRow } from '@/app/_ui';
import { listAlerts, listChannels, listDeliveries } from '@/lib/alerts';
import { kindOf } from '@/lib/alerts/kinds';
import { runtime } from '@/lib/boot';
import type { AlertView } from '@/lib/management/schemas';
import { mayAct } from '@/lib/tenancy';
import { firesWords, isMuted, scopeWords, STATE_LOOK } from './_components/alert-words';
import { Channels } from './_components/channels';
import { DeliveryTable } from './_components/delivery-table';

export const metadata: Metadata = { title: 'Alerts' };

const SHOWN_DELIVERIES = 10;

export default async function AlertsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const services = await runtime();
  const [alerts, channels, deliveries] = await Promise.all([listAlerts(services, actor), listChannels(services.tenancy, actor), listDeliveries(services.tenancy, actor, { limit: SHOWN_DELIVERIES })]);
  const mayEdit = mayAct(actor.role, 'developer');
  const add = mayEdit ? <LinkButton href={`/${slug}/alerts/new`} variant="primary">New alert</LinkButton> : null;
  return (
    <>
      <PageHeader title="Alerts" lead="Watched in the ledger every 30 seconds, or twice in a shorter window. An alert fires once, and says when it is over." actions={alerts.length > 0 ? add : null} />
      <Section bare title="What is watched">
        {alerts.length === 0 ? (
          <Empty title="Nothing is watched yet" action={add}>A good first one: “429 after N bytes”, the rate limit that cuts an answer in the middle. The same 429 before content is rerouted, and is an alert of its own.</Empty>
        ) : (
          <AlertTable alerts={alerts} slug={slug} nowMs={Date.now()} />
        )}
      </Section>
      <Channels channels={channels} slug={slug} mayEdit={mayAct(actor.role, 'admin')} mailConfigured={services.env.mail !== null} />
      <Section bare title="Delivery log" lead="Kept for 30 days." actions={deliveries.total > SHOWN_DELIVERIES ? <LinkButton size="sm" href={`/${slug}/alerts/deliveries`}>All deliveries</LinkButton> : null}>
        {deliveries.data.length === 0 ? <p className="text-sm text-muted">Nothing was sent yet.</p> : <DeliveryTable deliveries={deliveries.data} slug={slug} mayResend={mayEdit} />}
      </Section>
    </>
  );
}

function AlertTable({ alerts, slug, nowMs }: { alerts: AlertView[]; slug: string; nowMs: number }) {
  return (
    <Table caption="Alerts">
      <THead><Th>Name</Th><Th>State</Th><Th>Watches for</Th><Th>Fires</Th><Th>Of</Th><Th>Tells</Th><Th>Looked at</Th></THead>
      <TBody>
        {alerts.map((alert) => (
          <TRow key={alert.id}>
            <TdName><Link className="link" href={`/${slug}/alerts/${alert.id}`}>{alert.name}</Link></TdName>
            <Td>
              <span className="flex flex-wrap gap-1">
                <Chip tone={STATE_LOOK[alert.state].tone}>{STATE_LOOK[alert.state].word}{alert.firing.length > 1 ? ` (${alert.firing.length})` : ''}</Chip>
                {isMuted(alert, nowMs) ? <Chip tone="off">muted</Chip> : null}
              </span>
            </Td>
            <Td className="whitespace-nowrap">{kindOf(alert.kind).label}</Td>
            <Td>{firesWords(alert)}</Td>
            <TdName>{scopeWords(alert.scope)}</TdName>
            <TdName>{alert.channels.length === 0 ? <span className="text-muted">nobody</span> : alert.channels.map(({ name, enabled }) => (enabled ? name : `${name} (disabled)`)).join(', ')}</TdName>
            <Td><Time at={alert.evaluated_at} format="relative" none="not yet" /></Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}
