import { expect, test } from 'vitest';
import { returnPath } from './return-path';

test.each([
  ['/ops/calls/call_1?x=1', '/ops/calls/call_1?x=1'],
  ['/ops/calls?class=cut.before_content&key=key_1&_rsc=1abc', '/ops/calls?class=cut.before_content&key=key_1'],
  ['/ops/keys?_rsc', '/ops/keys'],
  ['/ops?range=week', '/ops?range=week'],
  ['/ops', '/ops'],
  [null, '/ops'],
  ['', '/ops'],
  ['/opsy/keys', '/ops'],
  ['/other/keys', '/ops'],
  ['/ops/../other', '/ops'],
  ['//evil.example/ops/keys', '/ops'],
  ['/ops/%0d%0aset-cookie:x', '/ops'],
])('of %j sign-in leads back to %s', (target, path) => expect(returnPath(target, 'ops')).toBe(path));
