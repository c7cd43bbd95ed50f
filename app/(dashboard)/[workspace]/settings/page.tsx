import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { Chip, LinkButton, Mono, PageHeader, Section, Table, TBody, Td, Th, THead, Time, TRow } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { MAX_LIMIT } from '@/lib/management/schemas';
import { listManagementKeys, listSessions, mayAct, PASSWORD_MIN_LENGTH, type SessionView } from '@/lib/tenancy';
import { DeleteTexts } from '../_kept-texts/delete-texts';
import { ForgetAnswers } from '../_replay/forget-answers';
import { changePasswordAction, endOtherSessionsAction, endSessionAction } from './actions';
import { browserName } from './browser-name';
import { ActButton, ChangePasswordForm } from './forms';
import { WorkspaceLimits } from './limits';
import { ManagementKeys } from './management-keys';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace: slug } = await params;
  const { actor, user, sessionId, workspace } = await requireMember(slug);
  const { tenancy, env } = await runtime();
  const [sessions, managementKeys] = await Promise.all([
    listSessions(tenancy, user.id),
    mayAct(actor.role, 'admin') ? listManagementKeys(tenancy, actor, { limit: MAX_LIMIT }) : null,
  ]);
  return (
    <>
      <PageHeader
        title="Settings"
        lead={<>Workspace <strong className="font-medium text-text">{workspace.name}</strong> (<Mono>{workspace.slug}</Mono>) and your account, {user.email}.</>}
        actions={mayAct(actor.role, 'admin') ? <LinkButton href={`/${slug}/audit`}>Audit log</LinkButton> : null}
      />
      <WorkspaceLimits actor={actor} slug={slug} />
      {managementKeys === null ? null : (
        <ManagementKeys keys={managementKeys.data} total={managementKeys.total} slug={slug} role={actor.role} origin={env.publicUrl} nowMs={Date.now()} />
      )}
      {mayAct(actor.role, 'developer') ? (
        <Section title="Stored answers" lead="Of exact replay, of all keys and routes. Each key says on its page what it keeps, and for how long." className="max-w-xl">
          <ForgetAnswers workspace={slug} of={{ workspace: true }} label="Forget all stored answers" />
        </Section>
      ) : null}
      {mayAct(actor.role, 'developer') ? (
        <Section title="Kept texts" lead="Of calls that savers rewrote, where a key keeps them: encrypted, for the days that it says. Whoever reads them is in the audit log." className="max-w-xl">
          <DeleteTexts workspace={slug} of={{ workspace: true }} name={slug} />
        </Section>
      ) : null}
      <Section
        bare title="Your sessions" lead="Where you are signed in. Ending a session holds at its next request."
        actions={sessions.length > 1 ? <ActButton action={endOtherSessionsAction.bind(null, slug)} label="End all others" /> : null}
      >
        <Sessions sessions={sessions} current={sessionId} slug={slug} />
      </Section>
      <Section title="Password" className="max-w-xl">
        <ChangePasswordForm action={changePasswordAction.bind(null, slug)} email={user.email} minLength={PASSWORD_MIN_LENGTH} />
      </Section>
    </>
  );
}

function Sessions({ sessions, current, slug }: { sessions: SessionView[]; current: string; slug: string }) {
  return (
    <Table caption="Your sessions">
      <THead><Th>Browser</Th><Th>Network</Th><Th>Last seen</Th><Th>Began</Th><Th>Ends by</Th><Th><span className="sr-only">End</span></Th></THead>
      <TBody>
        {sessions.map((session) => (
          <TRow key={session.id}>
            <Td className="whitespace-nowrap"><span title={session.user_agent ?? undefined}>{browserName(session.user_agent) ?? <span className="text-muted">not reported</span>}</span></Td>
            <Td>{session.address_prefix === null || session.address_prefix === 'unknown' ? <span className="text-muted">not reported</span> : session.address_prefix}</Td>
            <Td><Time at={session.last_seen_at} format="relative" /></Td>
            <Td><Time at={session.created_at} /></Td>
            <Td><Time at={session.expires_at} format="date" /></Td>
            <Td>{session.id === current ? <Chip tone="good">this one</Chip> : <ActButton action={endSessionAction.bind(null, slug, session.id)} label="End" name={`End the session of ${browserName(session.user_agent) ?? 'an unknown browser'}, last seen ${session.last_seen_at}`} />}</Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}
