export { failure, type Failure, type FailureClass } from './failure';
export { checkDepth, forbiddenKey, MAX_DEPTH, readJsonObject, replaceMembers, scanTopLevel, shapeFault, type JsonObjectRead, type TopLevel } from './json-text';
export { createSseReader, type SseReader, type SseReaderOptions } from './sse-reader';
export { bearsContent, type FinishReason, type Frame, type StreamEvent } from './stream-event';
export type { Usage } from './usage';
