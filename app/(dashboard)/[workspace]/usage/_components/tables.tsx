import Link from 'next/link';
import type { ReactNode } from 'react';
import { formatCount, formatMoney, formatShare, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import type { UsageFigures } from '@/lib/metering';

export interface UsageLine {
  id: string;
  name: ReactNode;
  figures: UsageFigures | null;
  /** Address of the calls behind the line. */
  calls: string;
}

/** The charts' twin: the same figures as numbers, with what is estimated and unpriced. Dashes stand where nothing was measured. */
export function UsageTable({ caption, first, lines }: { caption: string; first: ReactNode; lines: readonly UsageLine[] }) {
  return (
    <Table caption={caption} className="[&_:is(th,td)]:px-2">
      <THead>
        <Th>{first}</Th>
        <Th figure>Calls</Th>
        <Th figure unit="USD">Spend</Th>
        <Th figure>Unpriced</Th>
        <Th figure unit="tokens">Prompt</Th>
        <Th figure>cached</Th>
        <Th figure>written</Th>
        <Th figure unit="tokens">Completion</Th>
        <Th figure>reasoning</Th>
        <Th figure>Estimated</Th>
        <Th figure>Failovers</Th>
        <Th figure>Truncations</Th>
        <Th figure>Replay hits</Th>
      </THead>
      <TBody>
        {lines.map(({ id, name, figures, calls }) => (
          <TRow key={id}>
            <th scope="row" className="min-w-28 px-2 py-1.5 text-left font-normal"><div className="w-fit max-w-40 break-words">{name}</div></th>
            {figures === null ? <Td colSpan={12} className="text-muted">no calls</Td> : <Figures figures={figures} calls={calls} />}
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function Figures({ figures, calls }: { figures: UsageFigures; calls: string }) {
  const { tokens, replay } = figures;
  const metered = figures.provider.calls + figures.estimate.calls;
  return (
    <>
      <Td figure><Link className="link" href={calls}>{formatCount(figures.calls)}</Link></Td>
      <Cell value={figures.cost_nano_usd} text={formatMoney(figures.cost_nano_usd).replace('$', '')} none="no call has a price" />
      <Cell value={figures.unpriced_share} text={formatShare(figures.unpriced_calls, figures.priced_calls + figures.unpriced_calls)} none="no call used tokens" />
      <Cell value={tokens.prompt} none="no call used tokens" />
      <Cell value={tokens.cached} none="not reported" />
      <Cell value={tokens.cache_write} none="not reported" />
      <Cell value={tokens.completion} none="no call used tokens" />
      <Cell value={tokens.reasoning} none="not reported" />
      <Cell value={figures.estimated_share} text={formatShare(figures.estimate.calls, metered)} none="no call used tokens" />
      <Cell value={figures.failovers} none="" />
      <Cell value={figures.truncations} none="" />
      <Cell value={replay.hit + replay.miss === 0 ? null : replay.hit} none="no answer was looked for" />
    </>
  );
}

/** Never 0 for what is not known: a dash to the eye, the words to everybody else. */
function Cell({ value, text, none }: { value: number | null; text?: string; none: string }) {
  if (value !== null) return <Td figure>{text ?? formatCount(value)}</Td>;
  return <Td figure><span className="text-muted" title={none}><span aria-hidden>–</span><span className="sr-only">{none}</span></span></Td>;
}

