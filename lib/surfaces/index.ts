export { chatCompletions } from './chat-completions';
export { isBadQuery, modelListOf, type ModelList } from './model-list';
export { surfaceAt, surfaceSpokenBy } from './registry';
export { withTexts } from './slots';
export {
  type AnswerContext,
  type AnswerSoFar,
  type ClientError,
  type EstimatedUsage,
  isFault,
  type OwnText,
  type StreamSeen,
  type StreamWriter,
  type Surface,
  type SurfaceFault,
  type SurfaceId,
  type SurfaceRequest,
  type UsageWish,
} from './surface';
export { completedUsage, usageRowOf } from './completed-usage';
