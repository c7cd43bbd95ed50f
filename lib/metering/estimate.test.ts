import { expect, test } from 'vitest';
import { estimateUsage } from './estimate';

test('a token for every four characters begun, each figure named as estimated, nothing claimed of cached or reasoning tokens', () => {
  expect(estimateUsage({ sentCharacters: 13, flushedCharacters: 8 })).toEqual({
    usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cached_tokens: null, cache_write_tokens: null, reasoning_tokens: null },
    estimated: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  });
});

test('nothing flushed is no completion tokens', () => {
  expect(estimateUsage({ sentCharacters: 1, flushedCharacters: 0 }).usage).toMatchObject({ prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 });
});
