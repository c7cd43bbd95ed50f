import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CLAIMS, type HonestyDocument } from '../lib/claims';
import { exclusively } from '../lib/launch/exclusive';
import { type Door, type RunningOhm, startOhm } from './harness';

/** What anyone may read, from the built product, through every door. */
describe.each<Door>(['node', 'next', 'next-start'])('in public, with door %s', (door) => {
  let ohm: RunningOhm;
  beforeAll(async () => {
    ohm = await startOhm({ door });
  });
  afterAll(() => ohm?.stop());

  const get = (path: string, init?: RequestInit) => fetch(`${ohm.url}${path}`, init);
  const honesty = async () => (await (await get('/v1/public/honesty')).json()) as HonestyDocument;

  test('every claim is proven by this very process soon after its start', async () => {
    await vi.waitFor(async () => expect((await honesty()).probes.last_run_at).not.toBeNull(), { timeout: 45_000, interval: 250 });
    const document = await honesty();
    expect(document.claims.map((claim) => claim.id)).toEqual(CLAIMS.map((claim) => claim.id));
    expect(document.claims.filter((claim) => !['shipped', 'unsupported', 'not_measured'].includes(claim.status)).map((claim) => `${claim.id}: ${claim.status}, ${claim.reason}`)).toEqual([]);
    for (const claim of document.claims) {
      if (claim.status !== 'not_measured') expect(claim.evidence!.every((evidence) => evidence.process === document.process && evidence.result === 'passed')).toBe(true);
    }
  });

  test('the document fits its published schema, may be read from any origin and may be kept', async () => {
    const answer = await get('/v1/public/honesty', { headers: { origin: 'https://elsewhere.example' } });
    expect([answer.headers.get('access-control-allow-origin'), answer.headers.get('access-control-allow-credentials')]).toEqual(['*', null]);
    expect(answer.headers.get('x-ohm-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    const document = (await answer.json()) as HonestyDocument;
    const schema = (await (await get(new URL(document.$schema).pathname)).json()) as { $schema: string; $id: string };
    expect([schema.$schema, schema.$id]).toEqual(['https://json-schema.org/draft/2020-12/schema', document.$schema]);
    const validate = new Ajv2020({ strictTypes: false, formats: { 'date-time': true, uri: true } }).compile(schema);
    expect([validate(document), validate.errors]).toEqual([true, null]);
    const again = await get('/v1/public/honesty', { headers: { 'if-none-match': answer.headers.get('etag')! } });
    // A run of the probes may have ended in between; then it is another document.
    expect(again.status === 304 || again.headers.get('etag') !== answer.headers.get('etag')).toBe(true);
    expect((await get('/v1/public/honesty', { method: 'OPTIONS' })).status).toBe(204);
  });

  test('probes can be asked for, but not one run after another', async () => {
    const answers = [await get('/v1/public/honesty/run', { method: 'POST' }), await get('/v1/public/honesty/run', { method: 'POST' })];
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('readiness names each dependency, and says no flags in production', async () => {
    const answer = await get('/ready');
    const report = (await answer.json()) as { ready: boolean; dependencies: { name: string; ok: boolean }[]; features?: object };
    expect([answer.status, report.ready, report.features]).toEqual([200, true, undefined]);
    expect(report.dependencies.map((each) => [each.name, each.ok])).toEqual([['database', true], ['journal', true], ['sandbox', true], ['store', true]]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('the status follows from readiness and claims', async () => {
    const status = (await (await get('/v1/public/status')).json()) as { status: string; components: { status: string }[] };
    expect(status).toMatchObject({ status: 'operational', components: Array.from({ length: 4 }, () => ({ status: 'operational' })) });
  });

  test('the catalog of models may be read from any origin and kept, and says what each costs', async () => {
    const answer = await get('/v1/public/models', { headers: { origin: 'https://elsewhere.example' } });
    expect([answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('cache-control')]).toEqual([200, '*', 'public, max-age=300']);
    const { schema_version: version, data } = (await answer.json()) as { schema_version: number; data: { id: string; price: object | null }[] };
    expect([version, data.length >= 50, data.filter(({ price }) => price === null)]).toEqual([1, true, []]);
    expect((await get('/v1/public/models', { headers: { 'if-none-match': answer.headers.get('etag')! } })).status).toBe(304);
  });

  test('healthz asks nobody', async () => {
    const answer = await get('/healthz');
    expect([answer.status, await answer.text(), answer.headers.get('access-control-allow-origin')]).toEqual([200, 'ok\n', '*']);
  });
});

describe('in public, while the database does not answer', () => {
  let ohm: RunningOhm;
  let letGo: () => void;
  let held: Promise<void>;
  beforeAll(async () => {
    ohm = await startOhm();
    await vi.waitFor(async () => expect(((await (await fetch(`${ohm.url}/v1/public/honesty`)).json()) as HonestyDocument).probes.last_run_at).not.toBeNull(), { timeout: 45_000, interval: 250 });
    // Whoever starts a PostgreSQL that has ended again, which the product does within a second, holds this lock.
    held = exclusively(join(ohm.dataDir, 'postgres.lock'), () => new Promise((resolve) => (letGo = resolve)));
    process.kill(Number(readFileSync(join(ohm.dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGINT');
  });
  afterAll(async () => {
    letGo?.();
    await held;
    await ohm?.stop();
  });

  test('readiness is 503 and names it, the process is well, and what was known last is shown as stale', async () => {
    await vi.waitFor(async () => expect((await fetch(`${ohm.url}/ready`)).status).toBe(503), { timeout: 15_000, interval: 250 });
    const report = (await (await fetch(`${ohm.url}/ready`)).json()) as { dependencies: { name: string; ok: boolean }[] };
    expect(report.dependencies.find((each) => each.name === 'database')!.ok).toBe(false);
    expect((await fetch(`${ohm.url}/healthz`)).status).toBe(200);
    const answer = await fetch(`${ohm.url}/v1/public/honesty`);
    const document = (await answer.json()) as HonestyDocument;
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(document.probes.blind).toMatch(/database/);
    const claim = document.claims.find((each) => each.id === 'mid_stream_handoff')!;
    expect([claim.status, claim.evidence?.[0]?.result]).toEqual(['stale', 'passed']);
    expect(((await (await fetch(`${ohm.url}/v1/public/status`)).json()) as { status: string }).status).toBe('down');
    for (const page of ['/honesty', '/status', '/docs/streaming-failover']) expect([page, (await fetch(`${ohm.url}${page}`)).status]).toEqual([page, 200]);
  });
});
