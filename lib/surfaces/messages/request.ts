import { isObject } from '../../wire';
import { messagesFault, modelFault } from '../chat-completions/request';
import type { SurfaceFault, SurfaceRequest } from '../surface';

type Body = Record<string, unknown>;

export function readMessages(body: Body): SurfaceRequest | SurfaceFault {
  return (
    modelFault(body.model) ??
    maxTokensFault(body.max_tokens) ??
    streamFault(body.stream) ??
    messagesFault(body.messages) ?? { model: body.model as string, stream: body.stream === true, usageWish: 'asked', asksForReasoning: asksForReasoning(body.thinking) }
  );
}

/** A count is one small JSON answer, whatever `stream` says; that member is the provider's to refuse. */
export function readCount(body: Body): SurfaceRequest | SurfaceFault {
  return modelFault(body.model) ?? messagesFault(body.messages) ?? { model: body.model as string, stream: false, usageWish: 'asked', asksForReasoning: false };
}

/** 0 only warms the prompt cache. */
function maxTokensFault(value: unknown): SurfaceFault | null {
  if (value === undefined || value === null) return { param: 'max_tokens', message: '`max_tokens` is required: the longest answer that you want, in tokens.' };
  return Number.isSafeInteger(value) && (value as number) >= 0 ? null : { param: 'max_tokens', message: '`max_tokens` must be an integer of at least 0.' };
}

function streamFault(value: unknown): SurfaceFault | null {
  return value === undefined || value === null || typeof value === 'boolean' ? null : { param: 'stream', message: '`stream` must be true or false.' };
}

function asksForReasoning(thinking: unknown): boolean {
  return isObject(thinking) && thinking.type !== 'disabled';
}
