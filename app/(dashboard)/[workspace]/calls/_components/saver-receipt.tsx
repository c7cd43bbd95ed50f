import { ChangesView } from '@/app/_savers/changes-view';
import { signed, tokenizerWords, UNDONE_WORDS } from '@/app/_savers/saver-words';
import { Chip, Facts, formatCount, Money, Mono, Section, Table, TBody, Td, Th, THead, Time, TRow, formatCounted } from '@/app/_ui';
import type { KeptTexts } from '@/lib/management/schemas';
import type { CallRow } from '@/lib/metering/call-row';
import { saverById } from '@/lib/savers';
import { shownChanges } from '@/lib/waste';

/** What savers did to a call; nothing at all for calls that they were not on for. `texts` is null where none are kept, or none for this reader. */
export function SaverReceipt({ call, savings, texts }: { call: CallRow; savings: string; texts: KeptTexts | null }) {
  const records = call.savers ?? [];
  if (call.arm == null && records.length === 0 && call.tokens_before == null) return null;
  return (
    <Section title="Savers" lead={texts === null ? 'Counts only: no text of this call is kept, or none that you may read.' : <>Its key keeps what savers changed, encrypted, until <Time at={texts.expires_at} />.</>} actions={<a className="link text-sm" href={savings}>What this key saved</a>}>
      <Facts
        items={[
          { name: 'Arm', value: <ArmWords arm={call.arm ?? null} /> },
          { name: 'Tokens of its texts', value: <TokensWords call={call} /> },
          { name: 'Counted with', value: call.tokenizer == null ? <span className="text-muted">not counted</span> : <span>{tokenizerWords({ encoding: call.tokenizer.replace(/^~/, ''), exact: !call.tokenizer.startsWith('~') })}</span> },
          { name: 'Billed for the prompt', value: <span className="tabular-nums">{call.usage?.prompt_tokens == null ? <span className="text-muted">not reported</span> : formatCounted(call.usage.prompt_tokens, 'token')}{call.prompt_cost_nano_usd == null ? null : <>, <Money nanoUsd={call.prompt_cost_nano_usd} /></>}</span> },
          ...(call.conversation == null ? [] : [{ name: 'Conversation', value: <Mono className="break-all">{call.conversation}</Mono> }]),
        ]}
      />
      {records.length === 0 ? <p className="mt-3 text-sm text-muted">{call.arm === 'holdout' ? 'No saver worked: it belongs to the hold-out.' : 'No saver found anything to change.'}</p> : <div className="mt-4"><Records records={records} /></div>}
      {texts === null ? null : <Difference texts={texts} />}
    </Section>
  );
}

function Difference({ texts: { texts, left_out: tooLong } }: { texts: KeptTexts }) {
  const { changes, changesLeftOut } = shownChanges(texts);
  return (
    <div className="mt-5 min-w-0">
      <h3 className="mb-2 text-sm font-semibold">Before and after</h3>
      <ChangesView changes={changes} leftOut={changesLeftOut + tooLong} none="No text was changed." label={(id) => saverById(id).label} />
    </div>
  );
}

function ArmWords({ arm }: { arm: 'treated' | 'holdout' | null }) {
  if (arm === 'treated') return <><Chip tone="accent">treated</Chip> <span className="text-muted">savers worked on its conversation</span></>;
  if (arm === 'holdout') return <><Chip tone="off">hold-out</Chip> <span className="text-muted">its conversation is sent as it came, for comparison</span></>;
  return <span className="text-muted">none: it is in no comparison</span>;
}

function TokensWords({ call }: { call: CallRow }) {
  const before = call.tokens_before ?? null;
  const after = call.tokens_after ?? null;
  if (before === null) return <span className="text-muted">not counted</span>;
  if (after === null) return <span className="tabular-nums">{formatCount(before)} as received; as sent: <span className="text-muted">not counted</span></span>;
  return <span className="tabular-nums">{formatCount(before)} as received, {formatCount(after)} as sent: saved {signed(before - after)}</span>;
}

function Records({ records }: { records: NonNullable<CallRow['savers']> }) {
  return (
    <Table caption="What each saver did">
      <THead><Th>Saver</Th><Th figure>Texts</Th><Th figure unit="bytes">Before</Th><Th figure unit="bytes">After</Th><Th figure unit="tokens">Before</Th><Th figure unit="tokens">After</Th><Th>Undone</Th></THead>
      <TBody>
        {records.map((record) => {
          const none = record.texts === 0;
          return (
            <TRow key={record.saver}>
              <th scope="row" className="min-w-40 px-3 py-1.5 text-left font-normal">{saverById(record.saver).label} <span className="text-xs text-muted">{saverById(record.saver).lossless ? 'lossless' : 'lossy'}</span></th>
              <Td figure>{none ? <None why="no text was changed" /> : formatCount(record.texts)}</Td>
              <Td figure>{none ? <None why="no text was changed" /> : formatCount(record.bytes_before)}</Td>
              <Td figure>{none ? <None why="no text was changed" /> : formatCount(record.bytes_after)}</Td>
              <Td figure>{record.tokens_before === null ? <None why="not counted" /> : formatCount(record.tokens_before)}</Td>
              <Td figure>{record.tokens_after === null ? <None why="not counted" /> : formatCount(record.tokens_after)}</Td>
              <Td className="text-muted">{record.undone === null ? 'no' : `${none ? 'all of it' : 'some of it'}: ${UNDONE_WORDS[record.undone]}`}</Td>
            </TRow>
          );
        })}
      </TBody>
    </Table>
  );
}

/** Never 0 for what is not known. */
function None({ why }: { why: string }) {
  return <span className="text-muted" title={why}><span aria-hidden>–</span><span className="sr-only">{why}</span></span>;
}
