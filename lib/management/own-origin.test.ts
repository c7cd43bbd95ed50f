import { expect, test } from 'vitest';
import { isOwnOrigin } from './own-origin';

const published = { publicUrl: 'https://ohm.example.com', host: '0.0.0.0', port: 3000 };
const local = { publicUrl: 'http://127.0.0.1:3000', host: '127.0.0.1', port: 3000 };
const everywhere = { publicUrl: 'http://localhost:3000', host: '0.0.0.0', port: 3000 };

test('with OHM_PUBLIC_URL only its origin counts, whatever Host says', () => {
  expect(isOwnOrigin('https://ohm.example.com', 'backend:3000', published)).toBe(true);
  for (const origin of ['http://ohm.example.com', 'https://ohm.example.com:444', 'https://ohm.example.com.evil.test', 'http://127.0.0.1:3000']) {
    expect([origin, isOwnOrigin(origin, new URL(origin).host, published)]).toEqual([origin, false]);
  }
});

test('without it the machine\'s own names count, with the port that is served', () => {
  for (const origin of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000']) expect([origin, isOwnOrigin(origin, null, local)]).toEqual([origin, true]);
  for (const origin of ['http://localhost:3001', 'https://localhost:3000', 'http://localhost', 'http://192.0.2.7:3000', 'http://evil.test:3000']) {
    expect([origin, isOwnOrigin(origin, new URL(origin).host, local)]).toEqual([origin, false]);
  }
  expect(isOwnOrigin('http://localhost', null, { publicUrl: 'http://127.0.0.1:80', host: '127.0.0.1', port: 80 })).toBe(true);
  expect(isOwnOrigin('http://box:3000', null, { publicUrl: 'http://box:3000', host: 'box', port: 3000 })).toBe(true);
});

test('a server on every address is reached by any address that Host names too, never by a foreign name', () => {
  expect(isOwnOrigin('http://192.0.2.7:3000', '192.0.2.7:3000', everywhere)).toBe(true);
  expect(isOwnOrigin('http://[2001:db8::7]:3000', '[2001:db8::7]:3000', everywhere)).toBe(true);
  expect(isOwnOrigin('http://localhost:8080', 'localhost:8080', everywhere)).toBe(true);
  expect(isOwnOrigin('http://192.0.2.7:3000', '192.0.2.8:3000', everywhere)).toBe(false);
  expect(isOwnOrigin('http://evil.test', 'evil.test', everywhere)).toBe(false);
});

test('no origin, and none that can be read, is foreign', () => {
  for (const origin of [null, '', 'null', 'evil']) expect(isOwnOrigin(origin, '127.0.0.1:3000', local)).toBe(false);
});
