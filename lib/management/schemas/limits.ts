import * as z from 'zod';
import { timestamp } from './field';

const count = (most: number, description: string) =>
  z.int('must be a whole number').min(1, 'must be at least 1').max(most, `must be at most ${most.toLocaleString('en-US')}`).meta({ description });

/** US dollars: less than this and nobody means it, and pages would have to show it as nothing. */
const LEAST_BUDGET_USD = 0.000001;

const budgetUsd = z.number('must be a number of US dollars').max(1_000_000, 'must be at most 1,000,000');

const ofDay = { description: 'Budget of a UTC day, US dollars.' };
const ofMonth = { description: 'Budget of a UTC month, US dollars.' };

const members = {
  requests_per_minute: count(10_000_000, 'Requests a minute; a burst may use a whole minute’s at once.'),
  tokens_per_minute: count(10_000_000_000, 'Tokens a minute, prompt and completion together. When a call begins it takes its prompt by estimate and the longest answer that it asks for; when it ends that is corrected to the real figure. A call that names no `max_tokens` (`max_completion_tokens`, `max_output_tokens`) takes nothing for its answer until it ends, so such calls in parallel can go beyond the limit by their answers.'),
  concurrent_calls: count(100_000, 'Calls that are open at the same time.'),
  on_budget: z
    .enum(['hard', 'warn'], { error: 'must be "hard" or "warn"' })
    .meta({ description: '`hard` (default): a call that the budget cannot cover is refused with 402. `warn`: it is made; the balance shows it. What is set aside for a call is its prompt by estimate and its longest answer; what it is charged in the end is its row’s cost. A call whose bill exceeds what was set aside can take the budget over its end by that excess, calls in parallel each by its own; calls one after the other do not add up, since the end of such an answer waits until it is charged (a second at most). Where a provider’s figures give none, since they contradict each other or are beyond counting, a hard budget is charged `budget_nano_usd` of the row.' }),
};

const givenBudget = budgetUsd.min(LEAST_BUDGET_USD, 'must be at least 0.000001');

const examples = [{ requests_per_minute: 60, monthly_cost_usd: 20 }];

/** Rates and budgets of a key or of a workspace. A call must fit into both. A budget may be smaller than can be given today. */
export const limits = z
  .strictObject({
    requests_per_minute: members.requests_per_minute.optional(),
    tokens_per_minute: members.tokens_per_minute.optional(),
    concurrent_calls: members.concurrent_calls.optional(),
    daily_cost_usd: budgetUsd.positive().meta(ofDay).optional(),
    monthly_cost_usd: budgetUsd.positive().meta(ofMonth).optional(),
    on_budget: members.on_budget.optional(),
  })
  .meta({ description: 'Members that are left out are not limited.', examples });

/** The same as they are given. */
export const limitsInput = z
  .strictObject({
    requests_per_minute: members.requests_per_minute.nullish(),
    tokens_per_minute: members.tokens_per_minute.nullish(),
    concurrent_calls: members.concurrent_calls.nullish(),
    daily_cost_usd: givenBudget.meta(ofDay).nullish(),
    monthly_cost_usd: givenBudget.meta(ofMonth).nullish(),
    on_budget: members.on_budget.nullish(),
  })
  .meta({ description: 'All limits together: a member that is left out or null is not limited, also where it was before.', examples });

export const budget = z
  .strictObject({
    scope: z.enum(['key', 'workspace']),
    period: z.enum(['day', 'month']).meta({ description: 'Of UTC.' }),
    limit_nano_usd: z.int(),
    spent_nano_usd: z.int().meta({ description: 'Cost of the calls that have ended.' }),
    held_nano_usd: z.int().meta({ description: 'Set aside for calls in flight.' }),
    left_nano_usd: z.int().meta({ description: 'May be negative: an answer can cost more than was expected of it.' }),
    on_budget: z.enum(['hard', 'warn']),
    resets_at: timestamp,
  })
  .meta({ description: 'What is left of one budget. Integers, 1e-9 US dollars.' });

export const budgetList = z.strictObject({ data: z.array(budget), next_cursor: z.null() }).meta({ description: 'The budgets that calls of this key must fit into: its own, then the workspace’s.' });

export const rate = z
  .strictObject({
    scope: z.enum(['key', 'workspace']),
    kind: z.enum(['requests_per_minute', 'tokens_per_minute', 'concurrent_calls']),
    limit: z.int(),
    left: z.int().nullable().meta({ description: 'Now. Null when the store that processes share does not answer; without one, of the process that was asked.' }),
    whole_at: timestamp.nullable().meta({ description: 'When all of it is there again if nothing more is used; null for calls in flight.' }),
  })
  .meta({ description: 'What is left of one rate. Asking takes nothing of it.' });

export const rateList = z.strictObject({ data: z.array(rate), next_cursor: z.null() }).meta({ description: 'The rates that calls must fit into: those of the key, then the workspace’s.' });

export type LimitsInput = z.output<typeof limits>;
export type LimitsChange = z.output<typeof limitsInput>;
export type BudgetView = z.output<typeof budget>;
export type RateView = z.output<typeof rate>;
