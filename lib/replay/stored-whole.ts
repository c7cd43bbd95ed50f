import type { AnswerContext, EstimatedUsage, Surface } from '../surfaces';
import type { StoredAnswer } from './stored-answer';

/** A stored answer as the JSON of a surface: complete in what was said, new in id and time. */
export function storedWhole(surface: Surface, { events, body, usage, usageEstimated }: StoredAnswer, context: AnswerContext, estimate: () => EstimatedUsage): string {
  return body ?? surface.whole(events, context, () => (usage === null ? estimate() : { usage, estimated: usageEstimated }));
}
