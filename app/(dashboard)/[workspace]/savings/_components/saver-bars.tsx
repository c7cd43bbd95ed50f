import { signed, UNDONE_WORDS } from '@/app/_savers/saver-words';
import { formatCount, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import { UNDONE } from '@/lib/management/schemas';
import { saverById } from '@/lib/savers';
import { NotKnown } from './not-known';
import { barOf, barsSummary, tokensText, type Sums } from './words';

/** Tokens by saver, drawn from a common zero: what a saver lost is drawn to its left. The table holds the same figures and more. */
export function SaverBars({ savers, of }: { savers: Sums['savers']; of: string }) {
  const most = Math.max(0, ...savers.map((saver) => Math.abs(saver.tokens_saved ?? 0)));
  return (
    <>
      <figure className="mb-3 rounded-lg border border-line bg-surface p-3">
        <figcaption className="mb-3 text-xs text-muted">{barsSummary(savers)}</figcaption>
        <div aria-hidden className="grid gap-2.5">
          {savers.map(({ saver, tokens_saved: saved }) => (
            <div key={saver} className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1 text-sm sm:grid-cols-[13rem_1fr_6rem]">
              <span className="min-w-0 truncate">{saverById(saver).label}</span>
              <span className="relative col-span-2 row-start-2 h-4 sm:col-span-1 sm:row-start-auto">
                <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
                {saved === null || saved === 0 ? null : <Bar value={saved} most={most} />}
              </span>
              <span className="text-right tabular-nums">{saved === null ? <span className="text-muted">not counted</span> : tokensText(saved)}</span>
            </div>
          ))}
        </div>
      </figure>
      <SaverTable savers={savers} of={of} />
    </>
  );
}

function Bar({ value, most }: { value: number; most: number }) {
  const { left, width } = barOf(value, most);
  const isLoss = value < 0;
  const hatched = 'repeating-linear-gradient(45deg, var(--danger) 0 3px, transparent 3px 6px)';
  return <span className="absolute inset-y-0.5 rounded-sm border" style={{ left: `${left}%`, width: `max(2px, ${width}%)`, borderColor: isLoss ? 'var(--danger)' : 'var(--good)', background: isLoss ? hatched : 'var(--good)' }} />;
}

function SaverTable({ savers, of }: { savers: Sums['savers']; of: string }) {
  return (
    <Table caption={`Tokens and bytes by saver, ${of}`}>
      <THead><Th>Saver</Th><Th figure>Calls</Th><Th figure>Texts</Th><Th figure unit="tokens">Saved</Th><Th figure unit="tokens a call">Half of the calls</Th><Th figure unit="bytes">Saved</Th><Th>Undone</Th></THead>
      <TBody>
        {savers.map((row) => (
          <TRow key={row.saver}>
            <th scope="row" className="min-w-40 px-3 py-1.5 text-left font-normal">{saverById(row.saver).label} <span className="text-xs text-muted">{row.lossless ? 'lossless' : 'lossy'}</span></th>
            <Td figure>{formatCount(row.calls)}</Td>
            <Td figure>{formatCount(row.texts)}</Td>
            <Td figure className={row.tokens_saved !== null && row.tokens_saved < 0 ? 'text-danger' : undefined}>{row.tokens_saved === null ? <NotKnown why="not counted" /> : signed(row.tokens_saved)}</Td>
            <Td figure>{row.tokens_saved_per_call === null ? <NotKnown why="not counted" /> : `${tokensText(row.tokens_saved_per_call.p25)} to ${tokensText(row.tokens_saved_per_call.p75)}`}</Td>
            <Td figure>{signed(row.bytes_saved)}</Td>
            <Td className="min-w-32 text-xs text-muted">{undoneWords(row.undone)}</Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function undoneWords(undone: Sums['savers'][number]['undone']): string {
  const parts = UNDONE.filter((why) => undone[why] > 0).map((why) => `${formatCount(undone[why])}: ${UNDONE_WORDS[why]}`);
  return parts.length === 0 ? 'never' : parts.join('; ');
}
