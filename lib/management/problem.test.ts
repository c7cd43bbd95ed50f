import { expect, test } from 'vitest';
import { ERROR_CODES } from '../claims';
import { Refusal, type RefusalCode } from '../std';
import { DoorError, isDatabaseOutage, PROBLEMS, problemOf } from './problem';

const at = { path: '/api/v1/keys', requestId: 'req_1' };

test('every code is explained where its `type` points, with the same status', () => {
  const explained = ERROR_CODES.filter((entry) => entry.where === 'management API').map((entry) => [entry.code, entry.status]);
  for (const [code, { status }] of Object.entries(PROBLEMS)) expect(explained).toContainEqual([code, status]);
});

test.each(Object.keys(PROBLEMS) as RefusalCode[])('%s becomes a problem with its own status', (code) => {
  const { body } = problemOf(new Refusal(code, 'A sentence.', [{ field: 'a.b', message: 'is wrong' }]), at);
  expect(body).toMatchObject({ type: `/docs/errors#${code}`, status: PROBLEMS[code].status, detail: 'A sentence.', instance: '/api/v1/keys', request_id: 'req_1', errors: [{ field: 'a.b', message: 'is wrong' }] });
});

test('what is not the caller’s to mend says nothing of its cause', () => {
  for (const error of [new Error('password=hunter2'), new TypeError('x is not a function'), 'text', null, undefined]) {
    const { body, unexpected } = problemOf(error, at);
    expect([body.status, unexpected, JSON.stringify(body).match(/hunter2|not a function/)]).toEqual([500, true, null]);
  }
});

test('an outage is told from a fault, also inside what wraps it', () => {
  const wrap = (code: string) => new Error('Failed query: select secret', { cause: Object.assign(new Error('x'), { code }) });
  for (const code of ['ECONNREFUSED', 'CONNECTION_CLOSED', '57P01', '53300', '08006', 'dependency_unavailable']) expect([code, isDatabaseOutage(wrap(code))]).toEqual([code, true]);
  for (const code of ['23505', '42P01', 'ENOENT', '']) expect([code, isDatabaseOutage(wrap(code))]).toEqual([code, false]);
  expect(problemOf(wrap('57P01'), at)).toMatchObject({ body: { status: 503 }, headers: { 'Retry-After': '5' }, unexpected: false });
});

test('refusals that pass with time say when', () => {
  expect(problemOf(new Refusal('rate_limited', 'x', [], 12.2), at).headers['Retry-After']).toBe('13');
  expect(problemOf(new Refusal('unavailable', 'x'), at).headers['Retry-After']).toBe('5');
  expect(problemOf(new DoorError('method_not_allowed', 'x', { Allow: 'GET' }), at).headers).toEqual({ Allow: 'GET' });
});
