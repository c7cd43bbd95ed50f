import { describe, expect, test } from 'vitest';
import type { RouteConfig } from '../gateway/ports';
import { replayKey, type ReplayQuestion, type ReplayScope, routeMark } from './replay-key';

const secret = Buffer.alloc(32, 1);
const route: RouteConfig = { id: 'route_1', name: 'chat', revision: 1, commit: 'first_content', replayGeneration: 0, deadlineMs: 1, tiers: [] };
const scope: ReplayScope = { kind: 'key', keyId: 'key_1', generation: '0.0' };
const question: ReplayQuestion = { surface: 'chat.completions', body: { model: 'auto', messages: [] }, values: 3, headers: {}, route: routeMark(route), savers: [] };

describe('the name of an answer', () => {
  test('is the same for the same question, and tells nothing of it', () => {
    const name = replayKey(secret, scope, question);
    expect(name).toBe(replayKey(secret, { ...scope }, { ...question, body: { messages: [], model: 'auto', stream: true }, values: 4 }));
    expect(name).toMatch(/^ohm:replay:[\w-]{43}$/);
  });

  test.each<[string, Buffer, ReplayScope, ReplayQuestion]>([
    ['the workspace', Buffer.alloc(32, 2), scope, question],
    ['the key', secret, { ...scope, keyId: 'key_2' } as ReplayScope, question],
    ['the generation', secret, { ...scope, generation: '0.1' }, question],
    ['who shares it, though the ids are the same', secret, { kind: 'workspace', workspaceId: 'key_1', generation: '0.0' }, question],
    ['the surface', secret, scope, { ...question, surface: 'messages' }],
    ['the body', secret, scope, { ...question, body: { model: 'auto', messages: [1] } }],
    ['a header', secret, scope, { ...question, headers: { 'anthropic-beta': 'x' } }],
    ['the route', secret, scope, { ...question, route: routeMark({ ...route, id: 'route_2' }) }],
    ['the savers', secret, scope, { ...question, savers: ['whitespace'] }],
  ])('differs with %s', (_, ...other) => {
    expect(replayKey(...other)).not.toBe(replayKey(secret, scope, question));
  });

  test('cannot be made without saying whose it is', () => {
    // @ts-expect-error a scope is required: an answer that belongs to nobody would be everybody's
    const unscoped = () => replayKey(secret, question);
    expect(unscoped).toThrow();
  });
});
