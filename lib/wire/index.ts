export { failure, type Failure, type FailureClass } from './failure';
export { bearsContent, type FinishReason, type Frame, type StreamEvent } from './stream-event';
export type { Usage } from './usage';
