import { expect, test } from 'vitest';
import { isBadQuery, modelListOf } from './index';

const names = ['auto', 'a', 'b', 'c'];
const page = (query: string) => {
  const list = modelListOf('anthropic').list(names, new URLSearchParams(query)) as { data: { id: string }[]; has_more: boolean; first_id: string | null; last_id: string | null };
  return [list.data.map(({ id }) => id).join(), list.has_more, list.first_id, list.last_id];
};

test('OpenAI’s list has every name at once', () => {
  expect(modelListOf('openai').list(['a'], new URLSearchParams('limit=0'))).toEqual({ object: 'list', data: [{ id: 'a', object: 'model', created: 0, owned_by: 'ohm' }] });
});

test.each([
  ['', 'auto,a,b,c', false],
  ['limit=2', 'auto,a', true],
  ['limit=2&after_id=a', 'b,c', false],
  ['limit=1&before_id=b', 'a', true],
  ['after_id=c', '', false],
])('Anthropic’s is paged: %s', (query, ids, more) => {
  const got = ids === '' ? [null, null] : [ids.split(',')[0], ids.split(',').at(-1)];
  expect(page(query)).toEqual([ids, more, ...got]);
});

test.each(['limit=0', 'limit=x', 'limit=1001', 'after_id=zz', 'before_id=zz'])('a wrong query is named: %s', (query) => {
  const answer = modelListOf('anthropic').list(names, new URLSearchParams(query));
  expect(isBadQuery(answer) && answer.param).toBe(query.split('=')[0]);
});
