import { expect, test } from 'vitest';
import { effortFor } from './effort';

const ABSENT = { send: null, lost: false };

test.each([
  ['gpt-6-sol', { send: 'none', lost: false }],
  ['gpt-5.1', { send: 'none', lost: false }],
  ['gpt-5.6-terra-2026-09-01', { send: 'none', lost: false }],
  ['openai/gpt-5.4-mini', { send: 'none', lost: false }],
  ['gpt-5', { send: 'minimal', lost: true }],
  ['gpt-5-mini-2025-08-07', { send: 'minimal', lost: true }],
  ['o3', { send: 'low', lost: true }],
  ['o4-mini', { send: 'low', lost: true }],
  ['openai/gpt-oss-120b', { send: 'low', lost: true }],
  ['gpt-4o-mini', ABSENT],
  ['gpt-4.1', ABSENT],
  ['gpt-5.1-chat-latest', ABSENT],
  ['my-own-model', { send: null, lost: true }],
  ['deepseek-reasoner', { send: null, lost: true }],
])('no reasoning, asked of %s', (model, expected) => expect(effortFor(model, 'none')).toEqual(expected));

test.each([
  ['gpt-5.2', { send: 'high', lost: false }],
  ['o3', { send: 'high', lost: false }],
  ['my-own-model', { send: 'high', lost: false }],
  ['gpt-4o', { send: null, lost: true }],
  ['gpt-4.1-mini', { send: null, lost: true }],
])('high effort, asked of %s', (model, expected) => expect(effortFor(model, 'high')).toEqual(expected));
