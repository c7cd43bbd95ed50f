import Ajv2020 from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { bearsContent } from '../wire';
import { CLAIMS, type ClaimView, type HonestyDocument } from '.';
import { PROBES } from './probes';
import { startTestProduct, type TestProduct } from './test-product';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
}, 60_000);

const claim = (document: HonestyDocument, id: string): ClaimView => document.claims.find((each) => each.id === id)!;

describe('the claims of a running product', () => {
  let product: TestProduct;
  let document: HonestyDocument;
  beforeAll(async () => {
    product = await startTestProduct({ db: database.db, secret: database.secret });
    document = await product.claims.runNow();
  }, 60_000);
  afterAll(() => product.close());

  it.each(CLAIMS.map((each) => [each.id, each.kind] as const))('%s is proven by its probes', (id, kind) => {
    const view = claim(document, id);
    expect(view.reason ?? '').toBe(kind === 'measurement' ? view.reason : '');
    expect(view.status).toBe(kind === 'promise' ? 'shipped' : kind === 'refusal' ? 'unsupported' : 'not_measured');
    if (kind !== 'measurement') expect(view.evidence).toMatchObject([{ result: 'passed', process: document.process }]);
    else expect([view.evidence, view.reason]).toEqual([null, expect.any(String)]);
  });

  it('every probe stands behind a claim, and every claim’s probe exists', () => {
    const used = new Set(CLAIMS.flatMap((each) => (each.kind === 'measurement' ? [] : each.probes)));
    expect([...used].sort()).toEqual(PROBES.map((probe) => probe.id).sort());
  });

  it('the document fits the schema that is published with it', () => {
    const ajv = new Ajv2020({ strictTypes: false, formats: { 'date-time': true, uri: true } });
    const validate = ajv.compile(product.claims.schema());
    expect([validate(JSON.parse(JSON.stringify(document))), validate.errors]).toEqual([true, null]);
    expect(validate({ ...document, claims: [{ ...document.claims[0], status: 'perfect' }] })).toBe(false);
  });

  it('results are kept, one row a probe and run, and outlive the process', async () => {
    const rows = await database.owner`select probe, passed from probe_results`;
    expect(rows.map((row) => row.probe as string).sort()).toEqual(PROBES.map((probe) => probe.id).sort());
    expect((await product.claims.history(100)).length).toBe(PROBES.length);
  });

  it('a second run at once is refused with the time to wait', async () => {
    await expect(product.claims.runNow()).rejects.toMatchObject({ name: 'Refusal', code: 'rate_limited', retryAfterS: expect.any(Number) });
  });

  it('the calls of the probes are in the system workspace and in no other', async () => {
    const rows = await database.owner`select distinct workspace_id from calls`;
    expect(rows.map((row) => row.workspace_id as string)).toEqual(['ws_system']);
  });
});

describe('an engine that is broken on purpose', () => {
  it('commits on a role frame, and the claims that forbid it are failing after one run', async () => {
    const broken = await startTestProduct({ db: database.db, secret: database.secret, contentTable: { ...bearsContent, choice: true } });
    try {
      const document = await broken.claims.runNow();
      expect(claim(document, 'pre_first_byte_stream_failover')).toMatchObject({ status: 'failing', reason: expect.any(String), evidence: [{ result: 'failed' }] });
      expect(claim(document, 'preamble_never_leaks').status).toBe('failing');
      expect((await broken.claims.publicStatus()).status).toBe('degraded');
    } finally {
      await broken.close();
    }
  }, 60_000);
});

describe('without a database', () => {
  it('the document shows what was known last, as stale, with the reason', async () => {
    const db = await database.open();
    const product = await startTestProduct({ db, secret: database.secret });
    await product.claims.runNow();
    await db.close();
    try {
      // The last answer of the database is remembered for a second.
      await expect.poll(async () => (await product.claims.document()).probes.blind, { timeout: 5_000 }).toMatch(/database/);
      const document = await product.claims.document();
      expect(claim(document, 'mid_stream_handoff')).toMatchObject({ status: 'stale', reason: expect.stringMatching(/database/), evidence: [{ result: 'passed' }] });
      expect(await product.claims.status()).toMatchObject({ ready: false, dependencies: expect.arrayContaining([{ name: 'database', ok: false, detail: expect.any(String) }]) });
    } finally {
      await product.close();
    }
  }, 60_000);
});
