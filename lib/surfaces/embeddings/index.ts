import type { Canonical } from '../../wire';
import { sentCharacters } from '../characters';
import { modelFault } from '../chat-completions/request';
import type { Surface, SurfaceFault, SurfaceRequest } from '../surface';

/** Embeddings, which are passed through and never translated: vectors of one model mean nothing to another's. */
export const embeddings: Surface = {
  id: 'embeddings',
  path: '/v1/embeddings',
  dialect: 'openai',
  operation: 'embeddings',
  once: ['model', 'input', 'stream'],
  names: {},
  read: readEmbeddings,
  canonical: notTranslated,
  slots: () => [],
  wanted: ({ input }) => inputsIn(input),
  characters: sentCharacters,
  writer: neverAsked,
  whole: neverAsked,
  refusal: (error, status) => ({ status, body: JSON.stringify({ error }) }),
};

function readEmbeddings({ model, input, stream }: Record<string, unknown>): SurfaceRequest | SurfaceFault {
  const fault = modelFault(model);
  if (fault !== null) return fault;
  if (typeof input !== 'string' && !(Array.isArray(input) && input.length > 0)) return { param: 'input', message: '`input` must be a string or a non-empty array.' };
  if (stream !== undefined && stream !== null && stream !== false) return { param: 'stream', message: 'Embeddings are not streamed.' };
  return { model: model as string, stream: false, usageWish: 'silent', asksForReasoning: false };
}

function notTranslated(): Canonical {
  return { ok: false, why: { param: 'model', code: 'unsupported_operation', message: '/v1/embeddings needs a tier that speaks this API itself.' } };
}

/** Texts, or texts as lists of tokens; one text, or one such list. Of anything else only its vendor knows how much it is. */
function inputsIn(input: unknown): number | null {
  if (typeof input === 'string') return 1;
  if (!Array.isArray(input)) return null;
  const list = input as unknown[];
  if (list.every((each) => typeof each === 'number')) return 1;
  return list.every((each) => typeof each === 'string' || Array.isArray(each)) ? list.length : null;
}

/** An answer is always its provider's own bytes, and never a stream. */
function neverAsked(): never {
  throw new Error('embeddings are neither streamed nor translated');
}
