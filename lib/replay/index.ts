export { AnswerRecorder } from './answer-recorder';
export { routeMark } from './replay-key';
export { openSealed, sealText } from './seal';
export { isStorable } from './storable';
export { createReplay, type Replay, type ReplayOwner, type ReplayPlace } from './store';
export type { Origin, StoredAnswer } from './stored-answer';
export { storedFrames } from './stored-frames';
export { storedWhole } from './stored-whole';
