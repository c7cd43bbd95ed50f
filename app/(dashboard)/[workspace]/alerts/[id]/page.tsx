import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { hrefWith, queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Breadcrumbs, Chip, Facts, Mono, Notice, PageHeader, Pagination, Section, Time } from '@/app/_ui';
import { getAlert, listAlertEvents } from '@/lib/alerts';
import { kindOf } from '@/lib/alerts/kinds';
import { runtime } from '@/lib/boot';
import { alertEventQuery, type AlertView } from '@/lib/management/schemas';
import { mayAct } from '@/lib/tenancy';
import { ConfirmByName } from '../../_components/confirm-by-name';
import { Act, MuteForm } from '../_components/alert-acts';
import { AlertForm } from '../_components/alert-form';
import { firesWords, isMuted, scopeWords, STATE_LOOK } from '../_components/alert-words';
import { History } from '../_components/history';
import { deleteAlertAction, muteAlertAction, setAlertEnabledAction, testAlertAction, updateAlertAction } from '../actions';
import { alertChoices } from '../choices';

/** Asked here too: what is not there must not have this page's title. */
export async function generateMetadata({ params }: { params: Promise<{ workspace: string; id: string }> }): Promise<Metadata> {
  const { workspace, id } = await params;
  const { actor } = await requireMember(workspace);
  const { name } = await found(getAlert(await runtime(), actor, id));
  return { title: `Alert ${name}` };
}

export default async function AlertPage({ params, searchParams }: { params: Promise<{ workspace: string; id: string }>; searchParams: SearchParams }) {
  const { workspace: slug, id } = await params;
  const { actor } = await requireMember(slug);
  const services = await runtime();
  const query = await queryOf(searchParams);
  const parsed = alertEventQuery.safeParse({ cursor: query.cursor });
  const alert = await found(getAlert(services, actor, id));
  const events = await listAlertEvents(services, actor, id, parsed.data ?? { limit: 50, cursor: undefined });
  const path = `/${slug}/alerts/${id}`;
  const { tone, word } = STATE_LOOK[alert.state];
  return (
    <>
      <Breadcrumbs items={[{ label: 'Alerts', href: `/${slug}/alerts` }, { label: alert.name }]} />
      <PageHeader title={alert.name}>
        <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-muted"><Chip tone={tone}>{word}</Chip>{isMuted(alert, Date.now()) ? <Chip tone="off">muted</Chip> : null}{kindOf(alert.kind).label}</p>
      </PageHeader>
      <Firing alert={alert} />
      <div className="grid items-start gap-x-6 xl:grid-cols-2">
        <div className="min-w-0">
          <About alert={alert} />
          <Section bare title="History" lead="Newest first; kept for 90 days.">
            {events.data.length === 0 ? <p className="text-sm text-muted">It has not fired yet.</p> : <History events={events.data} slug={slug} />}
            {events.next_cursor !== null || query.cursor ? (
              <Pagination first={query.cursor ? path : null} next={events.next_cursor ? hrefWith(path, query, { cursor: events.next_cursor }) : null} shown={`${events.data.length} of ${events.total}${events.total_is_capped ? ' or more' : ''}`} />
            ) : null}
          </Section>
        </div>
        {mayAct(actor.role, 'developer') ? (
          <div className="min-w-0">
            <Acts alert={alert} slug={slug} />
            <Section title="Edit" lead="Another kind or scope ends what fires.">
              <AlertForm
                key={alert.revision} action={updateAlertAction.bind(null, slug, id, alert.revision)} choices={await alertChoices(actor)} submit="Save alert"
                defaults={{ name: alert.name, kind: alert.kind, threshold: alert.threshold, windowS: alert.window_s, minCalls: alert.min_calls, scope: alert.scope.type === 'all' ? 'all' : `${alert.scope.type}:${alert.scope.id}`, channels: alert.channels.map((channel) => channel.id) }}
              />
            </Section>
          </div>
        ) : null}
      </div>
    </>
  );
}

function Firing({ alert: { firing } }: { alert: AlertView }) {
  if (firing.length === 0) return null;
  return (
    <Notice tone="danger" title={firing.length === 1 ? 'Firing' : `Firing for ${firing.length} things`} className="mb-6">
      <ul className="grid gap-0.5">
        {firing.map(({ episode_id, subject, began_at, value, clear_since }) => (
          <li key={episode_id}>
            {subject === '' ? null : <Mono>{subject} </Mono>}since <Time at={began_at} />, now at {Number(value.toFixed(2))}
            {clear_since === null ? null : <>; clear since <Time at={clear_since} format="clock" />, over after a window of that</>}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function About({ alert }: { alert: AlertView }) {
  return (
    <Section title="About">
      <p className="mb-3 text-sm text-muted">{kindOf(alert.kind).meaning}</p>
      <Facts
        items={[
          { name: 'Fires', value: firesWords(alert) },
          { name: 'Of', value: scopeWords(alert.scope) },
          { name: 'Tells', value: alert.channels.length === 0 ? 'nobody' : alert.channels.map(({ name, enabled }) => (enabled ? name : `${name} (disabled)`)).join(', ') },
          ...(alert.muted_until === null ? [] : [{ name: 'Muted', value: <>until <Time at={alert.muted_until} /></> }]),
          { name: 'Looked at', value: <Time at={alert.evaluated_at} none="not yet" /> },
          { name: 'Id', value: <Mono>{alert.id}</Mono> },
        ]}
      />
    </Section>
  );
}

function Acts({ alert: { id, name, revision, enabled, muted_until, channels }, slug }: { alert: AlertView; slug: string }) {
  const muted = isMuted({ muted_until }, Date.now());
  return (
    <Section title="Mute, test, end">
      <div className="flex flex-wrap items-end gap-2">
        <MuteForm action={muteAlertAction.bind(null, slug, id, revision)} muted={muted} />
        {channels.length > 0 ? <Act action={testAlertAction.bind(null, slug, id)} label="Send a test message" done="Queued; the history shows what becomes of it" /> : null}
        <Act action={setAlertEnabledAction.bind(null, slug, id, revision, !enabled)} label={enabled ? 'Switch off' : 'Switch on'} done={enabled ? 'Switched off' : 'Switched on'} />
        <ConfirmByName
          action={deleteAlertAction.bind(null, slug, id, name)} name={name} button="Delete alert" title={`Delete ${name}`}
          description={<>Its history goes with it. Messages stay in the <Link className="link" href={`/${slug}/alerts/deliveries`}>delivery log</Link>.</>}
        />
      </div>
      <p className="mt-3 text-xs text-muted">While muted it tells nobody and keeps its history; what still fires afterwards is told after all.</p>
    </Section>
  );
}
