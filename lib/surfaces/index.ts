export { chatCompletions } from './chat-completions';
export { surfaceAt } from './registry';
export {
  type AnswerContext,
  type AnswerSoFar,
  type ClientError,
  type EstimatedUsage,
  isFault,
  type StreamWriter,
  type Surface,
  type SurfaceFault,
  type SurfaceId,
  type SurfaceRequest,
  type UsageWish,
} from './surface';
