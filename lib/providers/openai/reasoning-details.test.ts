import { describe, expect, test } from 'vitest';
import type { StreamEvent } from '../../wire';
import { readDetails } from './reasoning-details';

const FORMAT = 'anthropic-claude-v1';
const read = (delta: Record<string, unknown>): StreamEvent[] => {
  const events: StreamEvent[] = [];
  readDetails(delta, 0, events);
  return events;
};
const said = (text: string, spelled: object = { spelled: 'reasoning' }) => ({ type: 'reasoning', choice: 0, text, ...spelled, detailed: true });
const signed = (data: string, kind = 'signature', format = FORMAT) => ({ type: 'signature', choice: 0, format, kind, data, tool: null, detailed: true });
const dropped = (what: string) => ({ type: 'dropped', what });

describe('reasoning_details', () => {
  test.each<[string, Record<string, unknown>, object[]]>([
    ['a piece of a stream', { reasoning: 'hm', reasoning_details: [{ type: 'reasoning.text', text: 'hm', format: FORMAT, index: 0 }] }, [said('hm')]],
    ['what signs it', { reasoning: null, reasoning_details: [{ type: 'reasoning.text', text: '', signature: 'S', format: FORMAT, index: 0 }] }, [signed('S')]],
    ['blocks with their signatures', { reasoning: 'ab', reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 'S', format: FORMAT }, { type: 'reasoning.encrypted', data: 'E', format: FORMAT }, { type: 'reasoning.text', text: 'b', signature: 'T', format: FORMAT }] }, [said('a'), signed('S'), signed('E', 'encrypted'), said('b'), signed('T')]],
    ['text that is told otherwise beside them', { reasoning_content: 'a and b', reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 'S', format: FORMAT }] }, [dropped('reasoning'), said('a', {}), signed('S')]],
    ['a summary', { reasoning: 'short', reasoning_details: [{ type: 'reasoning.summary', summary: 'short', format: 'openai-responses-v1' }, { type: 'reasoning.encrypted', data: 'E', id: 'rs_1', format: 'openai-responses-v1' }] }, [said('short'), signed('E', 'encrypted', 'openai-responses-v1')]],
    ['summaries alone', { reasoning_details: [{ type: 'reasoning.summary', summary: 'a' }, { type: 'reasoning.summary', summary: 'b' }] }, [said('a\n\nb')]],
    ['what nobody knows the signer of', { reasoning: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 'S' }, { type: 'reasoning.encrypted', data: 'E', format: 'a:b' }] }, [said('a'), dropped('reasoning_details'), dropped('reasoning_details')]],
    ['what is none', { reasoning: 'a', reasoning_details: [7, { type: 'reasoning.video' }, { type: 'reasoning.encrypted' }] }, [said('a'), ...Array.from({ length: 3 }, () => dropped('reasoning_details'))]],
    ['no list', { reasoning: 'a', reasoning_details: 'x' }, [said('a'), dropped('reasoning_details')]],
  ])('%s', (_, delta, events) => expect(read(delta)).toEqual(events));
});
