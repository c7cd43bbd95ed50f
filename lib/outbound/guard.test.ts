import { describe, expect, it } from 'vitest';
import { parseAllowRules } from '../std/allow-rules';
import { checkAddress, checkUrl } from './guard';

const closed = { allow: [], ownPorts: [] };
const open = (text: string, ownPorts: number[] = []) => ({ allow: parseAllowRules(text), ownPorts });

/** Spellings of addresses that must never be reached, in the ways that have fooled filters before. */
const VECTORS = [
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://１２７.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://0.0.0.0/',
  'https://0/',
  'https://localhost/',
  'https://localhost./',
  'https://x.localhost/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://example.com%23@169.254.169.254/',
  'https://example.com@127.0.0.1/',
  'https://key:secret@example.com/',
  'https://[3fff::1]/',
  'https://[2001:db8::1]/',
];

it.each(VECTORS)('%s is refused at save time', (url) => {
  expect(checkUrl(url, closed).ok).toBe(false);
});

it.each(
  VECTORS.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, '')).filter((host) => /^[\d.]+$|:/.test(host)),
)('the address %s is refused at use', (address) => {
  expect(checkAddress(address, 443, true, closed).ok).toBe(false);
});

describe('other refusals at save time', () => {
  it.each([
    'http://api.example.com/v1',
    'ftp://api.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'api.example.com/v1',
    '',
    'https://',
    'https://api.example.com/v1?key=1',
    'https://api.example.com/v1?',
    'https://api.example.com/v1#x',
    'https://api.example.com/v1/../admin',
    'https://api.example.com/v1/%2e%2e/admin',
    'https://api.example.com/v1/..%2fadmin',
    'https://api.example.com\\@evil.example/',
    'https://api.example.com/v1\r\nx: y',
    'https://api.example.com /v1',
    'https://api.example.com:22/v1',
    'https://8.8.8.8:25/v1',
    `https://api.example.com/${'x'.repeat(2100)}`,
  ])('%j', (url) => {
    expect(checkUrl(url, closed)).toMatchObject({ ok: false, reason: expect.any(String) });
  });
});

it.each([
  ['https://api.openai.com/v1', 'https://api.openai.com/v1'],
  ['https://API.openai.com:443/v1//', 'https://api.openai.com/v1'],
  ['https://api.perplexity.ai', 'https://api.perplexity.ai'],
  ['https://llm.example.com:8443/a/b/', 'https://llm.example.com:8443/a/b'],
  ['https://8.8.8.8/v1', 'https://8.8.8.8/v1'],
  ['https://[2606:4700::1111]/v1', 'https://[2606:4700::1111]/v1'],
])('%s is accepted as %s', (url, baseUrl) => {
  expect(checkUrl(url, closed)).toMatchObject({ ok: true, baseUrl });
});

describe('what the operator opened', () => {
  it('is open over http and https, on the listed ports only', () => {
    const rules = open('127.0.0.0/8:8000-9000');
    expect(checkUrl('http://127.0.0.1:8000/v1', rules).ok).toBe(true);
    expect(checkUrl('https://127.9.9.9:9000/v1', rules).ok).toBe(true);
    expect(checkUrl('http://localhost:8500/v1', rules).ok).toBe(true);
    expect(checkUrl('http://127.0.0.1:7999/v1', rules).ok).toBe(false);
    expect(checkUrl('http://10.0.0.1:8000/v1', rules).ok).toBe(false);
    expect(checkUrl('http://8.8.8.8:8000/v1', rules).ok).toBe(false);
  });

  it('reaches through a mapped address and IPv6 networks', () => {
    expect(checkAddress('::ffff:127.0.0.1', 80, false, open('127.0.0.1')).ok).toBe(true);
    expect(checkAddress('fd00::5', 11434, false, open('[fd00::]/8:11434')).ok).toBe(true);
    expect(checkAddress('fd00::5', 11435, false, open('[fd00::]/8:11434')).ok).toBe(false);
    expect(checkAddress('::1', 11435, false, open('::1/128')).ok).toBe(true);
  });

  it('never opens the product\'s own ports', () => {
    const rules = open('0.0.0.0/0,::/0', [3000, 5432]);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '10.1.2.3', '::ffff:127.0.0.1']) {
      expect(checkAddress(address, 3000, false, rules).ok).toBe(false);
      expect(checkAddress(address, 3001, false, rules).ok).toBe(true);
    }
    expect(checkAddress('8.8.8.8', 3000, true, rules).ok).toBe(true);
  });

  it('leaves host names over http to the moment of connecting', () => {
    expect(checkUrl('http://llm.internal:8000/v1', open('10.0.0.0/8')).ok).toBe(true);
  });
});

describe('parseAllowRules', () => {
  it('reads networks, addresses and ports', () => {
    expect(parseAllowRules(' 127.0.0.0/8, 10.1.0.0/16:8000-9000,192.168.1.5:11434,[fd00::]/8:80,fe80::/10,::1,')).toEqual([
      { family: 4, address: '127.0.0.0', prefix: 8, fromPort: 1, toPort: 65535 },
      { family: 4, address: '10.1.0.0', prefix: 16, fromPort: 8000, toPort: 9000 },
      { family: 4, address: '192.168.1.5', prefix: 32, fromPort: 11434, toPort: 11434 },
      { family: 6, address: 'fd00::', prefix: 8, fromPort: 80, toPort: 80 },
      { family: 6, address: 'fe80::', prefix: 10, fromPort: 1, toPort: 65535 },
      { family: 6, address: '::1', prefix: 128, fromPort: 1, toPort: 65535 },
    ]);
    expect(parseAllowRules('')).toEqual([]);
  });

  it.each(['localhost', '127.0.0/8', '127.0.0.1/33', '127.0.0.1:0', '127.0.0.1:70000', '127.0.0.1:9-8', '127.1', '0x7f.1.1.1', 'fd00::/129', '*', '10.0.0.0/8:x'])('names %s as what it cannot read', (piece) => {
    expect(() => parseAllowRules(`10.0.0.0/8,${piece}`)).toThrow(`"${piece}"`);
  });
});
