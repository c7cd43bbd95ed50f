export { type Appraisal, type AppraisalInput, MAX_PASTED_BYTES, type SaverEffect, type TokenizerChoice, TOKENIZERS } from './appraise';
export { type ChangePart, shownChanges, type TextChange } from './changes';
export { isSample, type Sample, type SampleId, sampleOf, SAMPLES } from './samples';
export { type AppraisalEnd, createWaste, LOSSLESS, type Limit, type Waste } from './waste';
