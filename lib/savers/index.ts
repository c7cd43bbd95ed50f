export { type ArmSums, type Conversation, estimateSavings, MAX_HALF_WIDTH, MIN_CALLS, type SavingsEstimate, type Stratum, sumArm } from './estimate';
export { type PipelineResult, runPipeline, SAVER_BUDGET_MS } from './pipeline';
export { SAVERS, saverById, saversOf } from './registry';
export { SAVER_IDS, type Saver, type SaverId, type SaverRecord, type Undone } from './saver';
