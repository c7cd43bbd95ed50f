import { describe, expect, test } from 'vitest';
import { messages } from './index';
import { CONTEXT, ESTIMATE, finish, reasoning, signature, text, tool, USAGE } from './test-events';
import type { StreamEvent } from '../../wire';

const whole = (...events: StreamEvent[]) => JSON.parse(messages.whole(events, CONTEXT, ESTIMATE)) as Record<string, unknown>;

describe('a whole message', () => {
  test('has the blocks of its stream', () => {
    expect(whole(reasoning('h'), reasoning('m'), signature('c2ln'), text('a'), text('b'), tool(0, '{"x"', 'A', 'f'), tool(1, '', 'B', 'g'), tool(0, ':1}'), finish('tool_calls'), { type: 'usage', usage: USAGE })).toEqual({
      id: 'msg_call_1',
      type: 'message',
      role: 'assistant',
      model: 'gpt-4.1-nano',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'text', text: 'ab' },
        { type: 'tool_use', id: 'A', name: 'f', input: { x: 1 } },
        { type: 'tool_use', id: 'B', name: 'g', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 10, cache_creation_input_tokens: null, cache_read_input_tokens: null, output_tokens: 9 },
    });
  });

  test('arguments that do not parse are never turned into a call that nobody made', () => {
    const message = whole(tool(0, '{"path":"/', 'A', 'rm'), finish('length'));
    expect([message.stop_reason, (message.content as { input: unknown }[])[0]!.input, message.ohm]).toEqual(['max_tokens', '{"path":"/', { dropped: ['tool_arguments'] }]);
  });

  test('usage that nobody reported is a named estimate', () => {
    expect(whole(text('x'), finish('stop')).usage).toEqual({ input_tokens: 4, output_tokens: 2, source: 'estimate', estimated: ['input_tokens', 'output_tokens'] });
  });
});

describe('a refused call', () => {
  const refusal = (status: number, code = 'x', rest = {}) => {
    const made = messages.refusal({ message: 'no', type: 'upstream_error', code, param: null, ...rest }, status, 'call_1');
    return { status: made.status, ...(JSON.parse(made.body) as { type: string; error: Record<string, unknown>; request_id: string }) };
  };

  test.each([
    [400, 'invalid_request_error'], [401, 'authentication_error'], [402, 'billing_error'], [403, 'permission_error'], [404, 'not_found_error'], [405, 'invalid_request_error'], [413, 'request_too_large'],
    [422, 'invalid_request_error'], [429, 'rate_limit_error'], [500, 'api_error'], [502, 'api_error'], [503, 'api_error'], [504, 'timeout_error'], [508, 'api_error'],
  ])('%i is %s', (status, type) => expect([refusal(status).status, refusal(status).error.type]).toEqual([status, type]));

  test('an overload has a status of its own here', () => {
    expect(refusal(503, 'upstream_overloaded')).toMatchObject({ status: 529, error: { type: 'overloaded_error' } });
  });

  test('code, member and attempts stand beside what clients of this API read', () => {
    expect(refusal(400, 'unsupported_value', { param: 'top_k', metadata: { attempts: [1] } })).toEqual({
      status: 400,
      type: 'error',
      error: { type: 'invalid_request_error', message: 'no', code: 'unsupported_value', param: 'top_k', metadata: { attempts: [1] } },
      request_id: 'call_1',
    });
  });
});
