export { type Budgets, type BudgetScope, createBudgets, periodOf } from './budgets';
export { type Counters, createCounters } from './counters';
export { createLimitGate } from './gate';
export { type Limits, type LimitsJson, readLimits } from './limits';
export { createStandings, type Standing, type Standings } from './standings';
