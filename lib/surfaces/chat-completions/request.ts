import type { Canonical } from '../../wire';
import type { SurfaceFault, SurfaceRequest, UsageWish } from '../surface';

export function readChat(body: Record<string, unknown>): SurfaceRequest | SurfaceFault {
  return (
    faultIn(body) ?? {
      model: body.model as string,
      stream: body.stream === true,
      usageWish: usageWish(body.stream_options),
      asksForReasoning: asksForReasoning(body),
    }
  );
}

function faultIn(request: Record<string, unknown>): SurfaceFault | null {
  const { messages, stream, stream_options: options } = request;
  return modelFault(request.model) ?? streamFault(stream, options) ?? messagesFault(messages);
}

/** How an answer is to be streamed, and whether with its usage. */
export function streamFault(stream: unknown, options: unknown): SurfaceFault | null {
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') return { param: 'stream', message: '`stream` must be true or false.' };
  if (options !== undefined && options !== null) {
    if (typeof options !== 'object' || Array.isArray(options)) return { param: 'stream_options', message: '`stream_options` must be an object.' };
    const wish = (options as Record<string, unknown>).include_usage;
    if (wish !== undefined && wish !== null && typeof wish !== 'boolean') return { param: 'stream_options.include_usage', message: '`stream_options.include_usage` must be true or false.' };
  }
  return null;
}

/** Every surface names its model the same way. */
export function modelFault(model: unknown): SurfaceFault | null {
  if (typeof model !== 'string' || model === '') return { param: 'model', message: '`model` must be a non-empty string: a route name, `auto`, or a model that the key may use.' };
  return model.length > 256 ? { param: 'model', message: '`model` is longer than 256 characters.' } : null;
}

/** A list of messages that have a role; what is in them is the provider's to judge. */
export function messagesFault(messages: unknown): SurfaceFault | null {
  if (!Array.isArray(messages) || messages.length === 0) return { param: 'messages', message: '`messages` must be a non-empty array.' };
  for (const [index, message] of messages.entries()) {
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return { param: `messages[${index}]`, message: `\`messages[${index}]\` must be an object.` };
    if (typeof (message as { role?: unknown }).role !== 'string') return { param: `messages[${index}].role`, message: `\`messages[${index}].role\` must be a string.` };
  }
  return null;
}

export function usageWish(streamOptions: unknown): UsageWish {
  if (typeof streamOptions !== 'object' || streamOptions === null) return 'silent';
  const value = (streamOptions as { include_usage?: unknown }).include_usage;
  return value === true ? 'asked' : value === false ? 'declined' : 'silent';
}

function asksForReasoning(request: Record<string, unknown>): boolean {
  const effort = request.reasoning_effort;
  if (typeof effort === 'string') return effort !== 'none';
  return typeof request.reasoning === 'object' && request.reasoning !== null;
}

/** The canonical language is this surface's own. */
export function canonicalChat(body: Record<string, unknown>): Canonical {
  const { model: _model, stream: _stream, stream_options: _options, ...rest } = body;
  return { ok: true, chat: { body: rest, topK: null }, dropped: [] };
}
