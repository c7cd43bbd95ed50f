export { CARRIED_MARK, carriedSignature, carrySignature } from './carried-signature';
export { type Canonical, type ChatRequest, type Unrepresentable, unsupported, unsupportedValue } from './chat-request';
export type { Dialect, Operation } from './dialect';
export { failure, type Failure, type FailureClass } from './failure';
export { checkDepth, forbiddenKey, MAX_DEPTH, readJsonObject, replaceMembers, scanTopLevel, shapeFault, type JsonObjectRead, type TopLevel } from './json-text';
export { type Losses, noLosses } from './losses';
export { createSseReader, type SseReader, type SseReaderOptions } from './sse-reader';
export { bearsContent, type FinishEvent, type FinishReason, type Frame, type SignatureEvent, type StreamEvent, type UrlCitation } from './stream-event';
export type { Usage } from './usage';
