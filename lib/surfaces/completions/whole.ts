import type { FinishReason, StreamEvent, Usage } from '../../wire';
import { openAiUsage } from '../openai-usage';
import type { AnswerContext, EstimatedUsage } from '../surface';
import { legacyReason, lost } from './stream';

/** A text_completion made of a chat's answer. */
export function wholeCompletion(events: readonly StreamEvent[], { callId, createdS, model }: AnswerContext, estimate: () => EstimatedUsage): string {
  const texts = new Map<number, string>();
  const finishes = new Map<number, FinishReason>();
  const dropped = new Set<string>();
  let usage: Usage | null = null;
  for (const event of events) {
    if (event.type === 'text' || event.type === 'refusal') texts.set(event.choice, (texts.get(event.choice) ?? '') + event.text);
    else if (event.type === 'finish') finishes.set(event.choice, event.reason);
    else if (event.type === 'usage') usage = event.usage;
    else if (lost(event) !== null) dropped.add(lost(event)!);
  }
  const choices = [...finishes].sort(([a], [b]) => a - b).map(([index, reason]) => ({ text: texts.get(index) ?? '', index, logprobs: null, finish_reason: legacyReason(reason) }));
  return JSON.stringify({
    id: `cmpl-${callId}`,
    object: 'text_completion',
    created: createdS,
    model,
    choices,
    usage: openAiUsage(usage, estimate),
    ...(dropped.size === 0 ? {} : { ohm: { dropped: [...dropped] } }),
  });
}
