import { isObject } from '../../wire';


/** Members of canonical messages that only some vendors of this wire know; the others refuse what they do not know. */
export type RareMember = 'reasoning_details' | 'extra_content' | 'prompt_cache_breakpoint';

/** The messages without the rare members that this vendor does not know, and which those were. */
export function withKnownMembers(messages: unknown, known: readonly RareMember[]): { messages: unknown; dropped: readonly string[] } {
  if (!Array.isArray(messages)) return { messages, dropped: [] };
  const dropped = new Set<string>();
  const without = (value: unknown, member: RareMember): unknown => {
    if (!isObject(value) || value[member] === undefined || known.includes(member)) return value;
    dropped.add(member);
    const { [member]: _unknown, ...rest } = value;
    return rest;
  };
  const cleaned = (messages as unknown[]).map((message) => {
    const plain = without(message, 'reasoning_details');
    if (!isObject(plain)) return plain;
    const { content, tool_calls: calls } = plain;
    return {
      ...plain,
      ...(Array.isArray(content) ? { content: content.map((part) => without(part, 'prompt_cache_breakpoint')) } : {}),
      ...(Array.isArray(calls) ? { tool_calls: calls.map((call) => without(call, 'extra_content')) } : {}),
    };
  });
  return { messages: cleaned, dropped: [...dropped] };
}
