import { type Canonical, type Losses, noLosses } from '../../wire';
import { modelFault, streamFault, usageWish } from '../chat-completions/request';
import type { SurfaceFault, SurfaceRequest } from '../surface';

type Body = Record<string, unknown>;

export function readCompletion(body: Body): SurfaceRequest | SurfaceFault {
  const fault = modelFault(body.model) ?? streamFault(body.stream, body.stream_options);
  if (fault !== null) return fault;
  const { prompt } = body;
  if (typeof prompt !== 'string' && !(Array.isArray(prompt) && prompt.length > 0)) return { param: 'prompt', message: '`prompt` must be a string or a non-empty array.' };
  return { model: body.model as string, stream: body.stream === true, usageWish: usageWish(body.stream_options), asksForReasoning: false };
}

/** The prompt as what one user says. What only a model that continues a text can do is refused. */
export function canonicalCompletion(body: Body): Canonical {
  const losses = noLosses();
  const chat: Body = {};
  for (const name of Object.keys(body)) {
    const value = body[name];
    if (value === null || value === undefined) continue; // as good as absent
    const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name]! : hint;
    member(value, chat, losses, name);
  }
  // More candidates than answers would have to be ranked, which no chat does.
  if (typeof body.best_of === 'number' && body.best_of > (typeof body.n === 'number' ? body.n : 1)) losses.refuseValue('best_of', '`best_of` must not be more than `n`.');
  return losses.why === null ? { ok: true, chat: { body: chat, topK: null }, dropped: losses.dropped, places: PLACES } : { ok: false, why: losses.why };
}

const PLACES = ['prompt'];

type Member = (value: unknown, chat: Body, losses: Losses, name: string) => void;

const same: Member = (value, chat, _losses, name) => void (chat[name] = value);
const hint: Member = (_value, _chat, losses, name) => losses.drop(name);
const done: Member = () => undefined;

const MEMBERS: Record<string, Member> = {
  model: done,
  stream: done,
  stream_options: done,
  best_of: done,
  prompt: (value, chat, losses) => {
    const text = typeof value === 'string' ? value : Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' ? value[0] : null;
    if (text === null) return losses.refuseValue('prompt', 'One prompt of text at a time: neither several nor tokens can be put to a chat.');
    chat.messages = [{ role: 'user', content: text }];
  },
  max_tokens: (value, chat) => void (chat.max_completion_tokens = value),
  temperature: same,
  top_p: same,
  n: same,
  stop: same,
  presence_penalty: same,
  frequency_penalty: same,
  logit_bias: same,
  seed: same,
  user: same,
  echo: (value, _chat, losses) => void (value !== false && losses.refuse('echo', 'A chat does not repeat its prompt.')),
  suffix: (value, _chat, losses) => void (value !== '' && losses.refuse('suffix', 'A chat does not insert text before a suffix.')),
  logprobs: (_value, _chat, losses) => losses.refuse('logprobs', 'The log probabilities of a chat are of another shape: ask /v1/chat/completions for them.'),
};
