import type { ReactNode } from 'react';
import { Chip, Count, Money, NOT_REPORTED, Section, Time } from '@/app/_ui';
import type { BudgetView, RateView } from '@/lib/management/schemas';
import { Bar } from './bar';

const RATE_WORDS: Record<RateView['kind'], string> = { requests_per_minute: 'Requests a minute', tokens_per_minute: 'Tokens a minute', concurrent_calls: 'Calls in flight' };

/** What is left of every limit, now: numbers, a plain bar, and when it is whole again. */
export function LimitsLeft({ rates, budgets, of }: { rates: RateView[]; budgets: BudgetView[]; of: 'key' | 'workspace' }) {
  const none = rates.length + budgets.length === 0;
  return (
    <Section title="Limits" lead={none ? undefined : <>What is left now.{of === 'key' ? ' A call must fit into every one.' : ''}</>}>
      {none ? (
        <p className="text-sm text-muted">{of === 'key' ? 'Nothing limits this key: neither limits of its own nor of the workspace.' : 'The workspace as a whole has no limits; keys may have their own.'}</p>
      ) : (
        <ul className="grid gap-4">
          {rates.map((rate) => <li key={`${rate.scope} ${rate.kind}`}><Rate rate={rate} of={of} /></li>)}
          {budgets.map((budget) => <li key={`${budget.scope} ${budget.period}`}><Budget budget={budget} of={of} /></li>)}
        </ul>
      )}
    </Section>
  );
}

function Rate({ rate: { scope, kind, limit, left, whole_at }, of }: { rate: RateView; of: 'key' | 'workspace' }) {
  const name = RATE_WORDS[kind];
  return (
    <>
      <Heading name={name} scope={scope} of={of} />
      <p className="text-sm">
        {left === null ? <span className="text-muted">{NOT_REPORTED}: the store that processes share does not answer</span> : <><Count value={left} /> left</>} of <Count value={limit} />
        {kind === 'concurrent_calls' && left !== null ? <span className="text-muted">, <Count value={limit - left} /> in flight</span> : null}
        {whole_at !== null && left !== null && left < limit ? <span className="text-muted">, whole again at <Time at={whole_at} format="clock" /></span> : null}
      </p>
      {left === null ? null : <Bar label={name} parts={[{ share: (limit - left) / limit, what: 'used' }]} />}
    </>
  );
}

function Budget({ budget: { scope, period, limit_nano_usd: limit, spent_nano_usd: spent, held_nano_usd: held, left_nano_usd: left, on_budget, resets_at }, of }: { budget: BudgetView; of: 'key' | 'workspace' }) {
  const name = period === 'day' ? 'Budget of the day' : 'Budget of the month';
  return (
    <>
      <Heading name={name} scope={scope} of={of}>{on_budget === 'warn' ? <Chip tone="neutral">warns only</Chip> : null}{left <= 0 ? <Chip tone={on_budget === 'warn' ? 'warning' : 'danger'}>used up</Chip> : null}</Heading>
      <p className="text-sm">
        <Money nanoUsd={left} /> left of <Money nanoUsd={limit} />
        <span className="text-muted">: <Money nanoUsd={spent} /> spent, <Money nanoUsd={held} /> held for calls in flight. Begins anew <Time at={resets_at} /></span>
      </p>
      <Bar label={name} parts={[{ share: spent / limit, what: 'spent' }, { share: held / limit, what: 'held for calls in flight' }]} />
    </>
  );
}

function Heading({ name, scope, of, children }: { name: string; scope: 'key' | 'workspace'; of: 'key' | 'workspace'; children?: ReactNode }) {
  return (
    <h3 className="flex flex-wrap items-center gap-2 text-sm font-medium">
      {name}
      {scope !== of ? <span className="font-normal text-muted">of the workspace</span> : null}
      {children}
    </h3>
  );
}
