import { replaceMembers } from '../../wire/json-text';
import type { ChatRequestInput, WireRequest } from '../adapter';

/**
 * The client's own text with the model put in, and for streams `stream_options.include_usage` switched on.
 * Every other byte is passed on: unknown members, numbers and their spelling, key order.
 */
export function chatRequest(input: ChatRequestInput): WireRequest {
  const { text, parsed, scan, model, stream, withoutStreamOptions, apiKey } = input;
  const changes: Record<string, string> = { model: JSON.stringify(model) };
  if (stream && !withoutStreamOptions) {
    const own = scan.members.findLast((member) => member.name === 'stream_options');
    changes.stream_options = withUsage(isObject(parsed.stream_options) && own ? text.slice(own.valueStart, own.valueEnd) : '{}');
  }
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
    'accept-encoding': 'identity', // a compressed stream arrives in lumps
    'user-agent': 'ohm',
  };
  if (apiKey !== null) headers.authorization = `Bearer ${apiKey}`;
  return { path: '/chat/completions', headers, body: replaceMembers(text, changes, scan) };
}

function withUsage(streamOptions: string): string {
  return replaceMembers(streamOptions, { include_usage: 'true' });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
