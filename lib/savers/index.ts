export { type ArmSums, type Conversation, estimateSavings, MAX_HALF_WIDTH, MIN_CALLS, type SavingsEstimate, type Stratum, sumArm } from './estimate';
export { NOTHING_DONE, type PipelineResult, runPipeline, SAVER_BUDGET_MS, type SaverStep } from './pipeline';
export { changesOf, type RewrittenText, rewrittenTexts } from './rewritten-texts';
export { SAVERS, saverById, saversOf } from './registry';
export { allUndone, createSaverWorkers, type SaverWorkers } from './saver-workers';
export { type Encoding, encodingOf, tokenizerOf } from './tokenizer';
export { SAVER_IDS, type Saver, type SaverId, type SaverRecord, type Undone } from './saver';
