import type { CallRow } from '../metering/call-row';
import { isStorable, type ReplayPlace } from '../replay';
import type { Later } from '../stores';
import type { AttemptPlan, AttemptResult } from './attempt/run-attempt';
import type { OpenCall } from './open-call';

/** Keeps a finished answer, if it is one that may be served again. Never rejects; waits no longer than the store may take. */
export function keepAnswer(call: OpenCall, place: ReplayPlace, plan: AttemptPlan, { answer, malformedEvents, tail }: AttemptResult, row: CallRow): Later<void> {
  const { recorder } = answer;
  const events = recorder?.answer() ?? null;
  try {
    if (events === null || malformedEvents > 0 || !answer.terminated) return;
    // Vectors are passed on unread: the body itself is the answer.
    const body = call.surface.operation === 'embeddings' ? tail.toString() : null;
    if (body === null && !isStorable(events, plan.own)) return;
    if (plan.own && call.surface.comesBack?.(events, call.request.parsed) === false) return;
    return place.keep({
      events: body === null ? events : [],
      body,
      origin: {
        tier: plan.tierNumber,
        connectionId: plan.tier.connection.id,
        provider: plan.tier.connection.provider,
        model: plan.tier.model,
        modelReported: row.model_reported,
        modelNamed: (plan.own ? row.model_reported : null) ?? plan.tier.model,
        dropped: plan.dropped,
      },
      usage: row.usage,
      usageSource: row.usage_source,
      usageEstimated: row.usage_estimated,
      costNanoUsd: row.cost_nano_usd,
      finishReason: row.finish_reason,
      storedAtMs: call.engine.clock.now(),
    });
  } finally {
    recorder?.release();
  }
}
