import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The floor plan, held by reading import lines. */

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

interface Import {
  /** Path of the importing file from the root. */
  from: string;
  /** A path from the root, or a package's specifier. */
  to: string;
  typeOnly: boolean;
}

const sources = ['lib', 'app'].flatMap((folder) => filesUnder(join(ROOT, folder))).map((file) => relative(ROOT, file));
const product = sources.filter((file) => !/(\.|\/)(test|sim|bench|fixtures)[.-]|\/test-|\/(bench|fixtures|vitest-postgres)\.ts$|\/fixtures\//.test(file));
const imports = product.flatMap(importsOf);
const inside = (path: string, ...folders: string[]) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
const shown = (list: Import[]) => list.map(({ from, to }) => `${from} imports ${to}`);
const room = (path: string) => path.split('/')[1];

test('the plan was read', () => {
  expect(product.length).toBeGreaterThan(50);
  expect(imports.length).toBeGreaterThan(200);
});

test('lib imports neither app nor react, and only lib/server imports next', () => {
  const wrong = imports.filter(
    ({ from, to }) => inside(from, 'lib') && (inside(to, 'app') || /^(react|react-dom|next-auth|next-themes)(\/|$)/.test(to) || (/^next(\/|$)/.test(to) && !inside(from, 'lib/server'))),
  );
  expect(shown(wrong)).toEqual([]);
});

test('providers are pure: no sockets, no files, no clock but the sandbox\'s own server', () => {
  const wrong = imports.filter(({ from, to }) => inside(from, 'lib/providers') && !inside(from, 'lib/providers/sandbox') && /^(undici|node:(http|https|http2|net|tls|dgram|dns|fs|child_process|timers)(\/.*)?)$/.test(to));
  expect(shown(wrong)).toEqual([]);
});

test('the edge runs without a database, pages and prices, and so does all that it leans on', () => {
  const reached = new Set(['lib/edge/main.ts']);
  for (const file of reached) {
    for (const { from, to, typeOnly } of imports) if (from === file && !typeOnly && inside(to, 'lib')) reached.add(fileOf(to));
  }
  expect(reached.size).toBeGreaterThan(50);
  const packages = imports.filter(({ from, to, typeOnly }) => reached.has(from) && !typeOnly && !inside(to, 'lib') && !to.startsWith('node:')).map(({ to }) => to);
  expect([...new Set(packages)].sort()).toEqual(['@upstash/redis', 'ioredis', 'ipaddr.js', 'pino', 'undici']);
  expect([...reached].filter((file) => inside(file, 'lib/db', 'lib/management', 'lib/providers', 'lib/outbound', 'lib/routing'))).toEqual([]);
});

test('there is one outbound client, and one way to a control plane: undici and fetch stand nowhere else on the server', () => {
  expect(shown(imports.filter(({ from, to }) => /^undici(\/|$)/.test(to) && !inside(from, 'lib/outbound', 'lib/edge')))).toEqual([]);
  const fetching = product.filter((file) => inside(file, 'lib') && /(?<![.\w'"`])fetch\(/.test(withoutComments(file)));
  expect(fetching).toEqual([]);
});

test('the engine asks no provider for its name', () => {
  const named = product.filter((file) => inside(file, 'lib/gateway', 'lib/routing', 'lib/health') && /anthropic|gemini|mistral|groq|azure|deepseek|openrouter|=== '(openai|sandbox)'|provider ===/i.test(withoutComments(file)));
  // Where a connection leads is a kind, not a name: the sandbox is no address.
  expect(named.filter((file) => !/kind === 'sandbox'/.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test('a room is entered through a door: its index, or the index of a folder in it', () => {
  const wrong = imports.filter(({ from, to, typeOnly }) => inside(to, 'lib') && !typeOnly && (!inside(from, 'lib') || room(from) !== room(to)) && !isDoor(to) && !SIDE_DOORS[to]);
  expect(shown(wrong)).toEqual([]);
});

/** Modules that others may import past the door, each for its reason. */
const SIDE_DOORS: Record<string, string> = {
  'lib/boot': 'the composition root is no room',
  'lib/savers/saver': 'the names of the savers: plain data, also for a browser',
  'lib/std/env': 'reads paths: the rest of std also runs in a browser',
  'lib/std/allow-rules': 'brings a package that few callers of std need',
  'lib/wire/json-text': 'hot, and of no interest to most of wire\'s callers',
  'lib/tenancy/actor': 'the roles: plain data, also for a browser',
  'lib/gateway/ports': 'what the engine needs is stated there, and one error with it',
  'lib/gateway/attempt/bounds': 'the contract\'s bounds, which pages show',
  'lib/alerts/kinds': 'the table of what can be watched: plain data, which a form shows in a browser',
  'lib/management/own-origin': 'the forms go by the same rule: pure',
  'lib/management/problem': 'the table of problems: plain data, without the API behind it',
  'lib/tenancy/token': 'what a token looks like: pure',
  'lib/tenancy/bootstrap': 'the command line\'s own verb, which no page may find at the door',
  'lib/launch/process-identity': 'the room\'s door starts servers; this only reads pids',
  'lib/gateway/default-timeouts': 'plain data, which the tier editor shows in a browser',
  'lib/gateway/attempt/failure': 'the contract\'s table, which pages show',
  // What the edge is made of: pure parts, or such as need neither database nor pages, of rooms whose doors bring both.
  'lib/gateway/held-bytes': 'the edge bounds what waits for its clients',
  'lib/gateway/rejection': 'the edge refuses in the same words',
  'lib/gateway/respond': 'the edge refuses, and serves what is stored, in the same form',
  'lib/gateway/call-options': 'the edge reads the same headers',
  'lib/gateway/plain-row': 'the edge writes the same rows',
  'lib/gateway/read-request': 'the edge reads the same requests',
  'lib/limits/counters': 'the edge counts with the control planes',
  'lib/limits/gate': 'the edge counts with the control planes',
  'lib/metering/carried-ledger': 'the ledger of a process without a database',
  'lib/metering/entry': 'what a ledger row is carried in',
  'lib/metering/rates': 'whether figures can be charged at all, which pages say: pure',
  'lib/metering/estimate': 'the edge estimates as the engine does',
  'lib/tenancy/keyring': 'the keys of stored answers follow from the secret',
  'lib/server/body-budget': 'the edge holds bodies too',
  'lib/server/discard': 'the edge refuses bodies too',
  'lib/server/drain': 'the edge drains as the node server does',
  'lib/server/early-refusal': 'the edge refuses what is no request in the same words',
  'lib/server/node-sink': 'the edge answers as the node server does',
  'lib/server/refuse-target': 'the edge refuses targets in the same words',
  'lib/server/request-target': 'the edge reads the same targets',
  'lib/server/stop-once': 'the edge stops by the same signals',
  'lib/server/with-parent': 'the edge ends with whoever started it, too',
  'lib/launch/port': 'the edge says of its port what the node server says of its own',
  'lib/claims/readiness': 'the edge tells of its dependencies in the same form',
  'lib/tenancy/secret': 'keys that follow from OHM_SECRET: pure',
};

test('no file is named after having no name', () => {
  expect(sources.filter((file) => /(^|\/)(utils?|helpers?|common|misc|shared)(\.|\/)/.test(file))).toEqual([]);
});

test('what the product imports is a dependency, not a development one', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const packages = new Set(imports.filter(({ to, typeOnly }) => !typeOnly && !/^(lib\/|app\/|node:|package\.json$)/.test(to) && !to.startsWith('.')).map(({ to }) => to.split('/').slice(0, to.startsWith('@') ? 2 : 1).join('/')));
  expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
});

test('no middleware stands in front of the handlers: each checks for itself', () => {
  expect(['middleware.ts', 'proxy.ts', 'app/middleware.ts'].filter((file) => existsSync(join(ROOT, file)))).toEqual([]);
});

function fileOf(path: string): string {
  return ['.ts', '/index.ts', ''].map((end) => path + end).find((file) => existsSync(join(ROOT, file)) && /\.\w+$/.test(file)) ?? path;
}

function isDoor(path: string): boolean {
  return ['index.ts', 'index.tsx'].some((index) => existsSync(join(ROOT, path, index)));
}

function importsOf(file: string): Import[] {
  const text = withoutComments(file);
  const found: Import[] = [];
  for (const [, clause, specifier] of text.matchAll(/(?:^|\n)\s*(?:import|export)\b([^;'"]*?)from\s*['"]([^'"]+)['"]/g)) {
    found.push({ from: file, to: target(file, specifier!), typeOnly: isTypeOnly(clause ?? '') });
  }
  for (const [, specifier] of text.matchAll(/(?:\bimport\(|(?:^|\n)\s*import )\s*['"]([^'"]+)['"]/g)) found.push({ from: file, to: target(file, specifier!), typeOnly: false });
  return found;
}

/** `import type …`, or every name in the braces marked `type`. */
function isTypeOnly(clause: string): boolean {
  if (/^\s*type\b/.test(clause)) return true;
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1]?.split(',').map((name) => name.trim()).filter(Boolean);
  return names !== undefined && names.length > 0 && names.every((name) => name.startsWith('type '));
}

function target(file: string, specifier: string): string {
  if (specifier.startsWith('@/')) return specifier.slice(2);
  if (specifier.startsWith('.')) return relative(ROOT, resolve(ROOT, dirname(file), specifier));
  return specifier;
}

function withoutComments(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[^]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}
