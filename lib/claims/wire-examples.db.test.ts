import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../db/test-database';
import { askDoor, type Answer } from './probes';
import { issueProbeKey, prepareSystemWorkspace } from './store';
import { startTestProduct, type TestProduct } from './test-product';
import { recordedAnswer, WIRE_EXAMPLES, type WireExample } from './wire-examples';

/** `RECORD=1 npx vitest run lib/claims/wire-examples` writes down what the engine says now. */
const RECORD = process.env.RECORD === '1';

let product: TestProduct;
let token: string;
const fresh: Record<string, string> = {};

beforeAll(async () => {
  const database = await createTestDatabase();
  product = await startTestProduct({ db: database.db, secret: database.secret });
  const examples: readonly WireExample[] = WIRE_EXAMPLES;
  await prepareSystemWorkspace(database.db, [{ id: 'examples', how: '', run: () => Promise.reject(new Error('never run')), routes: Object.fromEntries(examples.map((example) => [example.id, example.tiers])) }]);
  for (const example of examples) {
    if (example.firstContentTimeoutMs !== undefined) await database.owner`update route_tiers set first_content_timeout_ms = ${example.firstContentTimeoutMs} where route_id = ${`route_system_${example.id}`}`;
  }
  token = (await issueProbeKey(database.db, 'examples', 60_000)).token;
}, 60_000);

afterAll(async () => {
  await product.close();
  if (RECORD) await writeFile(new URL('./wire-examples.json', import.meta.url), `${JSON.stringify(fresh, null, 2)}\n`);
});

it.each(WIRE_EXAMPLES.map((example) => [example.test, example] as [string, WireExample]))('%s', async (_name, example) => {
  const answer = await askDoor(
    { origin: product.origin, token: example.key === 'bad' ? 'ohm_sk_unknown' : token },
    {
      model: example.model ?? example.id,
      stream: example.stream,
      headers: example.headers ?? {},
      body: example.body ?? {},
      leaveWhen: ({ body }) => {
        if (example.drainAfter !== undefined && body.includes(example.drainAfter)) product.gateway.cutOpenCalls();
        return false;
      },
    },
  );
  const shown = transcript(answer);
  fresh[example.id] = shown;
  if (!RECORD) expect(shown).toBe(recordedAnswer(example.id as (typeof WIRE_EXAMPLES)[number]['id']));
  expect(answer.ending).toBe('end');
});

const SHOWN = ['content-type', 'retry-after', 'x-should-retry', 'x-ohm-stream-failover', 'x-at-cache', 'x-ohm-request-id', 'x-ohm-route', 'x-ohm-tier', 'x-ohm-provider', 'x-ohm-model', 'x-ohm-attempts', 'x-ohm-commit'];

/** What differs from run to run is replaced by something that looks the same. */
function transcript({ status, headers, body }: Answer): string {
  const head = SHOWN.flatMap((name) => (headers[name] === undefined ? [] : [`${name}: ${headers[name]}`]));
  return [`HTTP/1.1 ${status}`, ...head, '', body]
    .join('\n')
    .replaceAll(/(call|req)_[0-9a-z]{26}/g, '$1_01kb8p6v3hq2m7r4w9x5t1n8ze')
    .replaceAll(/chatcmpl-sandbox-[0-9a-f]{18}/g, 'chatcmpl-sandbox-5f1c0a97d2b34e8861')
    .replaceAll(/"created":\d{10}/g, '"created":1764451200')
    .trimEnd();
}
