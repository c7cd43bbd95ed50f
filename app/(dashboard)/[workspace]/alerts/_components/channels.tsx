import { Chip, Empty, Section, Table, TBody, Td, TdName, Th, THead, TRow } from '@/app/_ui';
import type { ChannelView } from '@/lib/management/schemas';
import { ConfirmByName } from '../../_components/confirm-by-name';
import { createChannelAction, deleteChannelAction, rotateChannelAction, setChannelEnabledAction } from '../actions';
import { Act } from './alert-acts';
import { AddChannel, RotateSecret } from './channel-forms';

const WHY: Record<NonNullable<ChannelView['disabled_why']>, string> = {
  person: 'disabled',
  gone: 'disabled: the receiver said that it is gone (410)',
  failing: 'disabled: nothing got through for more than a day',
};

/** Where alerts are told. */
export function Channels({ channels, slug, mayEdit, mailConfigured }: { channels: ChannelView[]; slug: string; mayEdit: boolean; mailConfigured: boolean }) {
  // Always in the same place: it shows a secret while the list behind it changes.
  const add = mayEdit ? <AddChannel action={createChannelAction.bind(null, slug)} mailConfigured={mailConfigured} /> : null;
  return (
    <Section bare title="Channels" lead="Where alerts are told. Webhooks are signed as Standard Webhooks describes." actions={add}>
      {channels.length === 0 ? (
        <Empty title="No channels yet">{mayEdit ? 'Add a webhook or an e-mail address, then choose it in an alert.' : 'An admin may add one.'}</Empty>
      ) : (
        <Table caption="Channels">
          <THead><Th>Name</Th><Th>Kind</Th><Th>Goes to</Th><Th>State</Th><Th>Told by</Th>{mayEdit ? <Th><span className="sr-only">Acts</span></Th> : null}</THead>
          <TBody>
            {channels.map((channel) => (
              <TRow key={channel.id}>
                <TdName>{channel.name}</TdName>
                <Td className="whitespace-nowrap">{channel.type === 'email' ? 'e-mail' : 'webhook'}</Td>
                <Td className="min-w-48 font-mono text-xs break-all">{channel.url ?? channel.email}</Td>
                <Td>{channel.enabled ? <Chip tone="good">enabled</Chip> : <Chip tone={channel.disabled_why === 'person' ? 'off' : 'danger'}>{WHY[channel.disabled_why ?? 'person']}</Chip>}</Td>
                <TdName>{channel.used_by.length === 0 ? <span className="text-muted">no alert</span> : channel.used_by.join(', ')}</TdName>
                {mayEdit ? <Td><Acts channel={channel} slug={slug} /></Td> : null}
              </TRow>
            ))}
          </TBody>
        </Table>
      )}
    </Section>
  );
}

function Acts({ channel: { id, name, type, revision, enabled }, slug }: { channel: ChannelView; slug: string }) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      {type === 'webhook' ? <RotateSecret action={rotateChannelAction.bind(null, slug, id)} name={name} /> : null}
      <Act size="sm" action={setChannelEnabledAction.bind(null, slug, id, revision, !enabled)} label={enabled ? 'Disable' : 'Enable'} name={`${enabled ? 'Disable' : 'Enable'} ${name}`} done={enabled ? 'Channel disabled' : 'Channel enabled'} />
      <ConfirmByName compact action={deleteChannelAction.bind(null, slug, id, name)} name={name} button="Delete" title={`Delete ${name}`} description="Messages that wait for it are dropped. What was sent stays in the delivery log." />
    </div>
  );
}
