import { expect, test } from 'vitest';
import * as nothing from './[...rest]/route';
import * as models from './models/route';

const told = async (answer: Response) => [answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('allow'), ((await answer.json()) as { error: { code: string } }).error.code];

test('what is not there is told to pages of every origin', async () => {
  const request = (method: string) => new Request('https://ohm.example/v1/public/nothing/here', { method });
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) expect(await told(nothing[method](request(method)))).toEqual([404, '*', null, 'unknown_url']);
  expect([nothing.OPTIONS().status, nothing.OPTIONS().headers.get('access-control-allow-origin')]).toEqual([204, '*']);
});

test('a method that a path does not take is told so as well, with those that it takes', async () => {
  expect(await told(models.POST())).toEqual([405, '*', 'GET, HEAD, OPTIONS', 'method_not_allowed']);
});
