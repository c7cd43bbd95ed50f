import Link from 'next/link';
import type { ReactNode } from 'react';
import { tokenizerWords } from '@/app/_savers/saver-words';
import { Facts, formatCount, formatShare, Mono, Table, TBody, Td, Th, THead, TRow, formatCounted } from '@/app/_ui';
import { ComparisonView, StatusChip } from './comparison';
import { CountedTexts } from './counted-texts';
import { NotKnown } from './not-known';
import { SaverBars } from './saver-bars';
import { callsText, outcomeText, tokensText, type Row } from './words';

/** All that is known of one key and model, folded away until somebody asks. */
export function RowView({ row, open, calls }: { row: Row; open: boolean; calls: string }) {
  const name = `${row.key.name ?? row.key.id}, ${row.model ?? 'no model answered'}`;
  return (
    <details open={open} className="min-w-0 rounded-lg border border-line bg-surface">
      <summary className="cursor-pointer p-3 text-sm">
        <span className="font-medium">{row.key.name ?? <Mono>{row.key.id}</Mono>}</span> <Mono className="text-muted">{row.model ?? 'no model answered'}</Mono>{' '}
        <span className="whitespace-nowrap"><StatusChip status={row.comparison.status} /></span>{' '}
        <span className="text-muted tabular-nums">{callsText(row.calls)}{row.comparison.tokens === null ? '' : `, ${outcomeText(row.comparison.tokens.saved_share)} of billed prompt tokens`}</span>
      </summary>
      <div className="grid min-w-0 gap-5 border-t border-line p-3">
        <p className="text-sm"><Link className="link" href={calls}>Its calls, each with its receipt</Link></p>
        <Part title="Treated against hold-out"><ComparisonView comparison={row.comparison} caption={`Arms of ${name}`} /></Part>
        <Part title="By our own count"><CountedTexts /><Counted row={row} /></Part>
        {row.savers.length === 0 ? null : <Part title="By saver"><SaverBars savers={row.savers} of={name} /></Part>}
        <Part title="Answers in both arms"><Quality row={row} name={name} /></Part>
      </div>
    </details>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return <div className="min-w-0"><h3 className="mb-2 text-sm font-semibold">{title}</h3>{children}</div>;
}

function Counted({ row }: { row: Row }) {
  const { calibration, tokens_saved_per_call: per } = row;
  return (
    <Facts
      items={[
        { name: 'Received, sent', value: row.tokens_received === null || row.tokens_sent === null ? <Uncounted /> : <span className="tabular-nums">{formatCount(row.tokens_received)}, {formatCounted(row.tokens_sent, 'token')}</span> },
        { name: 'Saved', value: row.tokens_saved === null ? <Uncounted /> : <span className="tabular-nums">{tokensText(row.tokens_saved)} tokens{per === null ? null : <span className="text-muted">; a call: 5% below {tokensText(per.p5)}, half below {tokensText(per.p50)}, 5% above {tokensText(per.p95)}</span>}</span> },
        { name: 'Calls that became longer', value: <span className="tabular-nums">{formatCount(row.longer_calls)} of {formatCount(row.measured_calls)} counted</span> },
        { name: 'Counted with', value: row.tokenizers.length === 0 ? <Uncounted /> : row.tokenizers.map(tokenizerWords).join('; ') },
        {
          name: 'Our count against the bill',
          value: calibration === null ? <span className="text-muted">no call has both</span> : <span className="tabular-nums">{calibration.billed_per_counted.toFixed(3)} billed for each token that we counted as sent <span className="text-muted">({callsText(calibration.calls)}{calibration.per_call === null ? '' : `; half of them ${calibration.per_call.p25.toFixed(3)} to ${calibration.per_call.p75.toFixed(3)}`})</span></span>,
        },
      ]}
    />
  );
}

const Uncounted = () => <span className="text-muted">not counted</span>;

/** A saving that costs answers shows here: in how they end, how long they are, and how often they are asked for again. */
function Quality({ row: { quality }, name }: { row: Row; name: string }) {
  const reasons = [...new Set([...Object.keys(quality.treated.finish_reasons), ...Object.keys(quality.holdout.finish_reasons)])].sort();
  const arms = [{ name: 'treated', arm: quality.treated }, { name: 'hold-out', arm: quality.holdout }];
  return (
    <Table caption={`Answers of ${name} in both arms`}>
      <THead><Th>Arm</Th><Th figure>Calls</Th>{reasons.map((reason) => <Th key={reason} figure>Ended: {reason}</Th>)}<Th figure unit="tokens, mean">Answer</Th><Th figure unit="tokens">Half of the answers</Th><Th figure>Asked again</Th><Th figure>Truncated</Th></THead>
      <TBody>
        {arms.map(({ name: title, arm }) => (
          <TRow key={title}>
            <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">{title}</th>
            <Td figure>{formatCount(arm.calls)}</Td>
            {reasons.map((reason) => <Td key={reason} figure>{arm.calls === 0 ? <NotKnown why="no calls" /> : formatShare(arm.finish_reasons[reason] ?? 0, arm.calls)}</Td>)}
            <Td figure>{arm.completion_tokens_mean === null ? <NotKnown why="not reported" /> : formatCount(Math.round(arm.completion_tokens_mean))}</Td>
            <Td figure>{arm.completion_tokens === null ? <NotKnown why="not reported" /> : `${formatCount(arm.completion_tokens.p25)} to ${formatCount(arm.completion_tokens.p75)}`}</Td>
            <Td figure>{arm.repeat_rate === null ? <NotKnown why="no calls" /> : formatShare(arm.repeats, arm.calls)}</Td>
            <Td figure>{arm.calls === 0 ? <NotKnown why="no calls" /> : formatShare(arm.truncated, arm.calls)}</Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}
