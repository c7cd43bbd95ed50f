import { checkDepth, forbiddenKey } from '../wire/json-text';
import { duplicateMember } from './duplicate-member';
import { DoorError } from './problem';

export const MAX_BODY_BYTES = 1024 * 1024;
export const MAX_DEPTH = 64;

/**
 * A request's JSON body. Refuses what is larger than 1 MiB before it is in memory, what is deeper than 64
 * levels before it is parsed, any `__proto__` or `constructor.prototype` member, and a name that stands twice in one
 * object. An empty body is `undefined`.
 */
export async function readJson(request: Request, limit: number = MAX_BODY_BYTES): Promise<unknown> {
  const text = await readText(request, limit);
  if (text === '') return undefined;
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DoorError('unsupported_media_type', 'Send the body as application/json.');
  }
  if (request.headers.get('content-encoding') !== null) {
    throw new DoorError('unsupported_media_type', 'Send the body without a content encoding.');
  }
  return parseJson(text);
}

export function parseJson(text: string): unknown {
  // Before parsing, so that a body of brackets alone costs nothing.
  if (!checkDepth(text, MAX_DEPTH)) throw new DoorError('malformed_body', `The JSON is nested more than ${MAX_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DoorError('malformed_body', 'The body is not valid JSON.');
  }
  const poison = forbiddenKey(text, value);
  if (poison !== null) throw new DoorError('malformed_body', `The member ${poison} is not allowed.`);
  const twice = duplicateMember(text);
  if (twice !== null) throw new DoorError('malformed_body', `The member ${twice.slice(0, 200)} stands twice.`);
  return value;
}

async function readText(request: Request, limit: number): Promise<string> {
  const tooLarge = () => new DoorError('too_large', `The body is larger than ${limit} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge();
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel().catch(() => undefined); // the answer does not depend on how the sender takes it
      throw tooLarge();
    }
    chunks.push(value);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new DoorError('malformed_body', 'The body is not valid UTF-8.');
  }
}
