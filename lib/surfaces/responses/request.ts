import { isObject } from '../../wire';
import { modelFault } from '../chat-completions/request';
import type { SurfaceFault, SurfaceRequest } from '../surface';
import { itemsOf } from './values';

export function readResponses(body: Record<string, unknown>): SurfaceRequest | SurfaceFault {
  return (
    faultIn(body) ?? {
      model: body.model as string,
      stream: body.stream === true,
      usageWish: 'asked', // every answer of this API ends with its usage
      asksForReasoning: asksForReasoning(body.reasoning),
    }
  );
}

function faultIn({ model, stream, instructions, background, input, ...rest }: Record<string, unknown>): SurfaceFault | null {
  const fault = modelFault(model);
  if (fault !== null) return fault;
  if (!isAbsent(stream) && typeof stream !== 'boolean') return { param: 'stream', message: '`stream` must be true or false.' };
  if (!isAbsent(background) && typeof background !== 'boolean') return { param: 'background', message: '`background` must be true or false.' };
  if (background === true) return { param: 'background', message: 'Answers are not kept here, so there would be no way to fetch one that is made in the background.' };
  if (!isAbsent(instructions) && typeof instructions !== 'string') return { param: 'instructions', message: '`instructions` must be a string.' };
  if (isAbsent(input)) {
    const elsewhere = ['prompt', 'previous_response_id', 'conversation'].some((name) => !isAbsent(rest[name]));
    return elsewhere ? null : { param: 'input', message: '`input` must be a string or a non-empty array.' };
  }
  if (typeof input === 'string') return null;
  if (!Array.isArray(input) || input.length === 0) return { param: 'input', message: '`input` must be a string or a non-empty array.' };
  const odd = input.findIndex((item) => !isObject(item));
  return odd === -1 ? null : { param: `input[${odd}]`, message: `\`input[${odd}]\` must be an object.` };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

function asksForReasoning(reasoning: unknown): boolean {
  if (!isObject(reasoning)) return false;
  return typeof reasoning.effort === 'string' ? reasoning.effort !== 'none' : !isAbsent(reasoning.summary);
}
