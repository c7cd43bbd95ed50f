export { type PipelineResult, runPipeline, SAVER_BUDGET_MS, type SaverRecord } from './pipeline';
export { SAVER_IDS, SAVERS, saverById, saversOf } from './registry';
export type { Saver, SaverId } from './saver';
