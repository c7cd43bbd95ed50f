import { isAbsent, isObject, unread, unsupportedValue } from '../../wire';
import { type Draft, refuse } from './draft';
import { thinkingOf } from './thinking';

/** `generationConfig`: limits, sampling, the shape of the output, thinking. Neutral values are left out. */
export function generationOf(body: Readonly<Record<string, unknown>>, topK: number | null, stream: boolean, draft: Draft): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  const set = (name: string, value: unknown, neutral?: unknown) => {
    if (!isAbsent(value) && value !== neutral) config[name] = value;
  };
  const limit = body.max_completion_tokens ?? body.max_tokens;
  set('maxOutputTokens', limit);
  set('temperature', body.temperature, 1);
  set('topP', body.top_p, 1);
  set('topK', topK);
  set('seed', body.seed);
  set('presencePenalty', body.presence_penalty, 0);
  set('frequencyPenalty', body.frequency_penalty, 0);
  set('stopSequences', stopsOf(body.stop, draft));
  set('candidateCount', candidatesOf(body.n, stream, draft));
  if (body.logprobs === true) {
    config.responseLogprobs = true;
    set('logprobs', body.top_logprobs, 0);
  } else if (!isAbsent(body.top_logprobs) && body.top_logprobs !== 0) {
    draft.dropped.add('top_logprobs');
  }
  shapeOf(body.response_format, config, draft);
  set('mediaResolution', resolutionOf(draft));
  set('thinkingConfig', thinkingOf(body.reasoning_effort, limit, draft));
  return config;
}

function stopsOf(stop: unknown, draft: Draft): string[] | null {
  if (isAbsent(stop)) return null;
  const list: unknown[] = Array.isArray(stop) ? stop : [stop];
  if (list.length > MAX_STOPS || list.some((each) => typeof each !== 'string')) {
    refuse(draft, unsupportedValue('stop', `At most ${MAX_STOPS} stop sequences, each a string, can be sent here.`));
  }
  return list.length === 0 ? null : (list as string[]);
}

const MAX_STOPS = 5;

function candidatesOf(n: unknown, stream: boolean, draft: Draft): unknown {
  if (isAbsent(n) || n === 1) return null;
  if (stream) refuse(draft, unsupportedValue('n', 'A streamed answer of this model has one choice.'));
  return n;
}

function shapeOf(format: unknown, config: Record<string, unknown>, draft: Draft): void {
  if (isAbsent(format)) return;
  const type = isObject(format) ? format.type : null;
  if (type === 'text') return;
  if (type !== 'json_object' && type !== 'json_schema') return refuse(draft, unsupportedValue('response_format.type', 'This output format has no counterpart here.'));
  config.responseMimeType = 'application/json';
  const described = (format as Record<string, unknown>).json_schema;
  for (const name of [...unread(format as Record<string, unknown>, FORMAT), ...(isObject(described) ? unread(described, DESCRIBED) : [])]) draft.dropped.add(`response_format.${name}`);
  if (type === 'json_schema' && isObject(described) && !isAbsent(described.schema)) config.responseJsonSchema = described.schema;
}

const FORMAT = new Set(['type', 'json_schema']);
/** Its name means nothing to the model, and every answer by a schema is a strict one here. */
const DESCRIBED = new Set(['name', 'schema', 'strict']);

/** One resolution holds for all media of a request: set only where every image asks for the same. */
function resolutionOf({ imageDetails, otherMedia, dropped }: Draft): string | null {
  const details = [...imageDetails];
  if (details.every((detail) => detail === 'auto')) return null;
  if (details.length === 1 && !otherMedia && (details[0] === 'low' || details[0] === 'high')) return `MEDIA_RESOLUTION_${details[0].toUpperCase()}`;
  dropped.add('image_url.detail');
  return null;
}
