import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

/** Connections that are not to an address that a user chose. */
const OWN: Record<string, string> = {
  'lib/claims/claims.ts': 'is the product\'s own dependency listening?',
  'lib/claims/probes/door-client.ts': 'the product\'s own door, as a client sees it',
  'lib/edge/plane.ts': 'the control planes that the operator named',
  'lib/edge/plane-attempt.ts': 'the same',
  'lib/launch/postgres-server.ts': 'the embedded PostgreSQL',
};

it('nothing but this room opens connections to the outside', () => {
  const found: string[] = [];
  for (const file of sources(['lib', 'app'])) {
    const text = readFileSync(path.join(root, file), 'utf8');
    if (file.startsWith('lib/outbound/') || file in OWN) continue;
    if (/from 'nodemailer'/.test(text) && file !== 'lib/alerts/send-mail.ts') found.push(`${file}: nodemailer`); // the operator's own mail server
    if (/from 'undici'|require\('undici'\)|import\('undici'\)/.test(text)) found.push(`${file}: undici`);
    for (const [, names, module] of text.matchAll(/import (?!type)([^;]+?) from '(?:node:)?(https?|http2|net|tls|dgram)'/g)) {
      if (/\b(?:request|get|connect|createConnection|createSocket|Socket|ClientRequest)\b/.test(names!.replace(/type \w+/g, ''))) found.push(`${file}: ${module}`);
      if (!names!.includes('{')) found.push(`${file}: all of ${module}`);
    }
    if (/(?<![.\w])fetch\(|new WebSocket\(|new EventSource\(/.test(text) && !/^['"]use client['"]/.test(text)) found.push(`${file}: fetch`);
  }
  expect(found).toEqual([]);
});

function sources(folders: string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|bench|spec)\.tsx?$|\/test-[^/]*\.ts$/.test(name));
}
