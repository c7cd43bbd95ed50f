import { isAbsent, isObject, type Unrepresentable, unsupported, unsupportedValue } from '../../wire';
import type { WireRequest, WireRequestInput } from '../adapter';
import type { Quirks } from '../quirks';
import { contentsOf } from './contents';
import { createDraft, type Draft, refuse } from './draft';
import { generationOf } from './generation';
import { geminiModel } from './model';
import { toolsOf } from './tools';

/** The canonical request as a generateContent request: https://ai.google.dev/api/generate-content */
export function request({ chat, model, stream, apiKey, quirks }: WireRequestInput): WireRequest | Unrepresentable {
  if (chat === null) throw new Error('no surface speaks this wire: every request is translated');
  const draft = createDraft(geminiModel(model));
  const { systemInstruction, contents } = contentsOf(chat.body.messages, draft);
  const { tools, toolConfig } = toolsOf(chat.body, draft);
  const generationConfig = generationOf(chat.body, chat.topK, stream, draft);
  noteOthers(chat.body, draft);
  if (draft.refused !== null) return draft.refused;

  const body: Record<string, unknown> = {};
  if (systemInstruction !== null) body.systemInstruction = systemInstruction;
  body.contents = contents;
  if (tools !== null) body.tools = tools;
  if (toolConfig !== null) body.toolConfig = toolConfig;
  if (Object.keys(generationConfig).length > 0) body.generationConfig = generationConfig;
  return { path: pathOf(draft.model.name, stream), headers: headersOf(stream, apiKey, quirks), body: JSON.stringify(body), dropped: [...draft.dropped] };
}

/** The model is one segment of the path, whatever is in its name. */
function pathOf(model: string, stream: boolean): string {
  const tuned = model.startsWith('tunedModels/');
  const name = encodeURIComponent((tuned ? model.slice('tunedModels/'.length) : model).replace(LONE_SURROGATE, '\ufffd'));
  return `/${tuned ? 'tunedModels' : 'models'}/${name}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

/** What no UTF-8 can spell, and what encoding it would throw on. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Members that no other place reads: refused where losing them changes what was asked for, else named as lost. */
function noteOthers(body: Readonly<Record<string, unknown>>, draft: Draft): void {
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (isAbsent(value) || READ.has(name)) continue;
    if (Object.hasOwn(NEUTRAL, name) && NEUTRAL[name]!(value)) continue;
    if (Object.hasOwn(REFUSED, name) || (name === 'moderation' && blocks(value))) refuse(draft, REFUSED[name] ?? unsupported(name, 'Blocking by moderation is a promise that this wire cannot keep.'));
    else draft.dropped.add(name);
  }
}

const READ = new Set([
  ...['messages', 'tools', 'tool_choice', 'functions', 'function_call', 'parallel_tool_calls', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'seed'],
  ...['presence_penalty', 'frequency_penalty', 'stop', 'n', 'logprobs', 'top_logprobs', 'response_format', 'reasoning_effort'],
]);

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** Values that say what would happen anyway. */
const NEUTRAL: Record<string, (value: unknown) => boolean> = {
  logit_bias: isEmptyObject,
  modalities: (value) => Array.isArray(value) && value.every((each) => each === 'text'),
  metadata: isEmptyObject,
  store: (value) => value === false,
  service_tier: (value) => value === 'auto' || value === 'default',
  verbosity: (value) => value === 'medium',
};

const REFUSED: Record<string, Unrepresentable> = {
  logit_bias: unsupported('logit_bias', '`logit_bias` is not available here.'),
  modalities: unsupportedValue('modalities', 'Audio output is not available here.'),
  audio: unsupported('audio', 'Audio output is not available here.'),
  web_search_options: unsupported('web_search_options', 'Web search is not enabled here.'),
};

/** `{"policy":{"input":{"mode"},"output":{"mode"}}}`: does either block? */
function blocks(moderation: unknown): boolean {
  const policy = isObject(moderation) ? moderation.policy : null;
  return isObject(policy) && [policy.input, policy.output].some((side) => isObject(side) && side.mode === 'block');
}

function headersOf(stream: boolean, apiKey: string | null, quirks: Quirks): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity', // a compressed stream arrives in lumps
    'user-agent': 'ohm',
  };
  return withCredential(headers, apiKey, quirks);
}

/** Never in the URL, which logs keep. */
function withCredential(headers: Record<string, string>, apiKey: string | null, quirks: Quirks): Record<string, string> {
  if (quirks.headers !== undefined) Object.assign(headers, quirks.headers);
  if (apiKey !== null) headers[quirks.keyHeader ?? 'x-goog-api-key'] = apiKey;
  return headers;
}

/** `GET /models`: https://ai.google.dev/api/models#method:-models.list */
export function modelList(apiKey: string | null, quirks: Quirks): { path: string; headers: Record<string, string> } {
  return { path: '/models?pageSize=1000', headers: withCredential({ accept: 'application/json', 'user-agent': 'ohm' }, apiKey, quirks) };
}

/** `{"models":[{"name":"models/x","supportedGenerationMethods":["generateContent"]}]}`: those that can be chatted with. */
export function listedModels(list: unknown): string[] | null {
  if (!isObject(list) || !Array.isArray(list.models)) return null;
  return list.models.flatMap((entry: unknown) => {
    if (!isObject(entry) || typeof entry.name !== 'string') return [];
    const { supportedGenerationMethods: methods } = entry;
    return Array.isArray(methods) && !methods.includes('generateContent') ? [] : [entry.name.replace(/^models\//, '')];
  });
}
