import { isAbsent, isObject, type Losses } from '../../wire';
import type { Members } from './json-values';

/**
 * Members of the request that the wire has no word for. Those that would change the answer are refused, hints are
 * dropped and named, and what only says the default goes silently.
 */
export function judgeMembers(body: Members, losses: Losses): void {
  for (const [name, isDefault] of Object.entries(REFUSED)) {
    const value = body[name];
    if (!isAbsent(value) && !isDefault(value)) losses.refuse(name, `\`${name}\` is not available for this model.`);
  }
  if (!isAbsent(body.n) && body.n !== 1) losses.refuseValue('n', '`n` must be 1 for this model.');
  if (!isAbsent(body.modalities) && !(Array.isArray(body.modalities) && body.modalities.every((modality) => modality === 'text'))) losses.refuseValue('modalities', 'This model answers in text only.');
  if (!isAbsent(body.audio)) losses.refuse('audio', '`audio` is not available for this model.');
  judgeModeration(body.moderation, losses);
  for (const [name, isDefault] of Object.entries(HINTS)) {
    const value = body[name];
    if (!isAbsent(value) && !isDefault(value)) losses.drop(name);
  }
  if (!isAbsent(body.service_tier) && serviceTier(body.service_tier) === null) losses.drop('service_tier');
  dropUnknown(body, losses);
}

const never = (): boolean => false;
const isZero = (value: unknown): boolean => value === 0;
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

const REFUSED: Record<string, (value: unknown) => boolean> = {
  logprobs: (value) => value === false,
  top_logprobs: isZero,
  logit_bias: isEmpty,
  presence_penalty: isZero,
  frequency_penalty: isZero,
  web_search_options: never,
};

const HINTS: Record<string, (value: unknown) => boolean> = {
  seed: never,
  verbosity: never,
  prediction: never,
  prompt_cache_key: never,
  prompt_cache_options: never,
  prompt_cache_retention: never,
  store: (value) => value === false,
  metadata: isEmpty,
};

/** Blocking is a promise of safety; a score is only told. */
function judgeModeration(moderation: unknown, losses: Losses): void {
  if (isAbsent(moderation)) return;
  const policy = isObject(moderation) && isObject(moderation.policy) ? moderation.policy : {};
  const blocks = [policy.input, policy.output].some((side) => isObject(side) && side.mode === 'block');
  if (blocks) losses.refuse('moderation', 'This model cannot promise to block by moderation.');
  else losses.drop('moderation');
}

export const serviceTier = (tier: unknown): string | null => (tier === 'auto' ? 'auto' : tier === 'default' ? 'standard_only' : null);

/** Who the client's own user is, for the wire's abuse checks. */
export function endUser(body: Members, losses: Losses): string | null {
  const { user, safety_identifier: identifier } = body;
  for (const [name, value] of Object.entries({ user, safety_identifier: identifier })) if (!isAbsent(value) && typeof value !== 'string') losses.drop(name);
  const [first, second] = [user, identifier].map((value) => (typeof value === 'string' && value !== '' ? value : null));
  if (first && second && first !== second) losses.drop('safety_identifier');
  return first ?? second ?? null;
}

const HANDLED = new Set([
  ...Object.keys(REFUSED),
  ...Object.keys(HINTS),
  ...['n', 'modalities', 'audio', 'moderation', 'service_tier', 'user', 'safety_identifier'],
  ...['model', 'messages', 'stream', 'stream_options', 'max_completion_tokens', 'max_tokens', 'temperature', 'top_p', 'stop', 'response_format', 'reasoning_effort'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call'],
]);

/** Their names go into a response header: only what may stand there, and no more than fits. */
function dropUnknown(body: Members, losses: Losses): void {
  let named = 0;
  for (const [name, value] of Object.entries(body)) {
    if (HANDLED.has(name) || isAbsent(value)) continue;
    if (++named > MOST_UNKNOWN) return losses.drop('others');
    losses.drop(name.replace(/[^\w.-]/g, '_').slice(0, 64));
  }
}

const MOST_UNKNOWN = 20;
