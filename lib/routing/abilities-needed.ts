import { isObject } from '../wire';
import { ABILITIES, type Ability } from '../providers/catalog';

/**
 * What a model must be able to do to serve a chat request, by its body in the canonical language (OpenAI's). Read off
 * the shape: a part of a kind that is not known asks for nothing.
 */
export function abilitiesNeeded(body: Readonly<Record<string, unknown>>, asksForReasoning: boolean): Ability[] {
  const needed = new Set<Ability>();
  if (isFull(body.tools) || isFull(body.functions)) needed.add('tools');
  if (isObject(body.response_format) && body.response_format.type === 'json_schema') needed.add('json_schema');
  if (asksForReasoning) needed.add('reasoning');
  if (Array.isArray(body.modalities) && body.modalities.includes('audio')) needed.add('audio');
  for (const message of Array.isArray(body.messages) ? (body.messages as unknown[]) : []) {
    if (!isObject(message) || !Array.isArray(message.content)) continue;
    for (const part of message.content as unknown[]) {
      const ability = isObject(part) && typeof part.type === 'string' ? PARTS[part.type] : undefined;
      if (ability !== undefined) needed.add(ability);
    }
  }
  return ABILITIES.filter((ability) => needed.has(ability));
}

const PARTS: Partial<Record<string, Ability>> = { image_url: 'images', file: 'pdf', input_audio: 'audio' };

const isFull = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
