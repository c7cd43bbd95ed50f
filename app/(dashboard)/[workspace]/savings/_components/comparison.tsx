import { Chip, Facts, formatCount, Money, Table, TBody, Td, Th, THead, TRow, type Tone } from '@/app/_ui';
import { NotKnown } from './not-known';
import { barOf, intervalText, moneyText, shareText, tokensText, type Amount, type Comparison } from './words';

const STATUS: Record<Comparison['status'], { tone: Tone; word: string; text: string }> = {
  measured: { tone: 'good', word: 'measured', text: 'At least 200 calls an arm, and half the interval is at most 5% of the baseline.' },
  estimate_only: { tone: 'warning', word: 'estimate only', text: 'Not yet enough to call it measured.' },
  not_measured: { tone: 'off', word: 'not measured', text: 'There is nothing to compare with.' },
};

export const StatusChip = ({ status }: { status: Comparison['status'] }) => <Chip tone={STATUS[status].tone}>{STATUS[status].word}</Chip>;

/** Treated against hold-out conversations: what it comes to, how sure that is, and what it rests on. */
export function ComparisonView({ comparison, caption }: { comparison: Comparison; caption: string }) {
  const { status, reason, tokens, money } = comparison;
  return (
    <div className="grid min-w-0 gap-4">
      <p className="flex flex-wrap items-center gap-2 text-sm"><StatusChip status={status} /> <span className="text-muted">{STATUS[status].text} {reason === null ? null : <>Missing: {reason}</>}</span></p>
      <Facts
        items={[
          { name: 'Prompt tokens', value: tokens === null ? <Unmeasured /> : <AmountView amount={tokens} text={tokensText} /> },
          { name: 'Money', value: money === null ? <Unmeasured /> : <AmountView amount={money} text={moneyText} /> },
        ]}
      />
      <Intervals amounts={[{ name: 'Prompt tokens', amount: tokens }, { name: 'Money', amount: money }]} />
      <Arms comparison={comparison} caption={caption} />
    </div>
  );
}

const Unmeasured = () => <span className="text-muted">not measured</span>;

function AmountView({ amount, text }: { amount: Amount; text: (value: number) => string }) {
  const isLoss = amount.saved < 0;
  return (
    <span className="tabular-nums">
      <span className={isLoss ? 'font-medium text-danger' : 'font-medium'}>{isLoss ? 'lost ' : 'saved '}{text(Math.abs(amount.saved))}</span> ({shareText(amount.saved_share)} of {text(amount.baseline)})
      <span className="text-muted">, 95% interval {intervalText(amount.interval, text)} ({intervalText(amount.share_interval, shareText)})</span>
    </span>
  );
}

/** Shares with their intervals over a common zero and scale: whether one reaches over zero, or money goes the other way than tokens, is seen at once. */
function Intervals({ amounts }: { amounts: { name: string; amount: Amount | null }[] }) {
  const known = amounts.flatMap(({ name, amount }) => (amount === null ? [] : [{ name, share: amount.saved_share, interval: amount.share_interval }]));
  if (known.length === 0) return null;
  const most = Math.max(0.1, ...known.flatMap(({ share, interval }) => [share, interval.low, interval.high].map(Math.abs))) * 1.1;
  return (
    <figure className="max-w-2xl">
      <div aria-hidden className="grid gap-1">{known.map(({ name, share, interval }) => <Lane key={name} name={name} share={share} interval={interval} most={most} />)}</div>
      <figcaption className="grid grid-cols-3 text-xs text-muted tabular-nums sm:pl-32"><span>{shareText(-most)}</span><span className="text-center">0%: nothing saved</span><span className="text-right">{shareText(most)}</span></figcaption>
    </figure>
  );
}

function Lane({ name, share, interval, most }: { name: string; share: number; interval: Amount['share_interval']; most: number }) {
  const place = (value: number) => (value < 0 ? barOf(value, most).left : 50 + barOf(value, most).width);
  const color = share < 0 ? 'var(--danger)' : 'var(--good)';
  return (
    <div className="grid items-center text-sm sm:grid-cols-[8rem_1fr]">
      <span>{name}</span>
      <div className="relative h-6">
        <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
        <span className="absolute top-1/2 h-0.5 -translate-y-1/2" style={{ left: `${place(interval.low)}%`, width: `${place(interval.high) - place(interval.low)}%`, background: color }} />
        {[interval.low, interval.high].map((value, at) => <span key={at} className="absolute top-1/2 h-3 w-0.5 -translate-x-1/2 -translate-y-1/2" style={{ left: `${place(value)}%`, background: color }} />)}
        <span className={share < 0 ? 'absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 border-2 bg-surface' : 'absolute top-1/2 size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full border-2'} style={{ left: `${place(share)}%`, borderColor: color, ...(share < 0 ? {} : { background: color }) }} />
      </div>
    </div>
  );
}

function Arms({ comparison, caption }: { comparison: Comparison; caption: string }) {
  const arms = [{ name: 'treated', arm: comparison.treated }, { name: 'hold-out', arm: comparison.holdout }];
  return (
    <Table caption={caption}>
      <THead><Th>Arm</Th><Th figure>Calls</Th><Th figure>Conversations</Th><Th figure unit="tokens">Received</Th><Th figure unit="tokens">Sent</Th><Th figure unit="tokens">Billed</Th><Th figure unit="tokens">From cache</Th><Th figure>Billed for each received</Th><Th figure unit="USD">Prompt cost</Th></THead>
      <TBody>
        {arms.map(({ name, arm }) => (
          <TRow key={name}>
            <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">{name}</th>
            <Td figure>{formatCount(arm.calls)}</Td>
            <Td figure>{formatCount(arm.conversations)}</Td>
            <Td figure>{arm.calls === 0 ? <NotKnown why="no calls" /> : formatCount(arm.tokens_received)}</Td>
            <Td figure>{arm.calls === 0 ? <NotKnown why="no calls" /> : formatCount(arm.tokens_sent)}</Td>
            <Td figure>{arm.calls === 0 ? <NotKnown why="no calls" /> : formatCount(arm.billed_prompt_tokens)}</Td>
            <Td figure>{arm.cached_tokens === null ? <NotKnown why="not reported" /> : formatCount(arm.cached_tokens)}</Td>
            <Td figure>{arm.tokens_received === 0 ? <NotKnown why="nothing received" /> : (arm.billed_prompt_tokens / arm.tokens_received).toFixed(3)}</Td>
            <Td figure>{arm.prompt_cost_nano_usd === null ? <NotKnown why="no known price" /> : <Money nanoUsd={arm.prompt_cost_nano_usd} />}</Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}
