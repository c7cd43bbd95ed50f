import { replaceMembers, type Unrepresentable } from '../../wire';
import type { WireRequest, WireRequestInput } from '../adapter';
import { headersOf } from '../openai/request';
import { bodyFrom } from './from-chat';

/**
 * The client's own text with the model put in; every other byte is passed on. A client of another dialect is sent as
 * what its canonical request means here. Nothing is asked for usage: the last event of every stream has it.
 */
export function request(input: WireRequestInput): WireRequest | Unrepresentable {
  if (input.own !== null) return { path: PATH, headers: headersOf(input), body: replaceMembers(input.own.text, { model: JSON.stringify(input.model) }, input.own.scan), dropped: NOTHING };
  const made = bodyFrom(input);
  return 'param' in made ? made : { path: PATH, headers: headersOf(input), body: made.body, dropped: made.dropped };
}

const PATH = '/responses';
const NOTHING: readonly string[] = [];
