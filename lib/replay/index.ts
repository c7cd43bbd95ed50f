export { AnswerRecorder } from './answer-recorder';
export { isStorable } from './storable';
export { createReplay, type Replay, type ReplayPlace } from './store';
export type { Origin, StoredAnswer } from './stored-answer';
export { storedFrames } from './stored-frames';
