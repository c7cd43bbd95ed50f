import { beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { PROBES, type Probe } from './probes';
import { issueProbeKey, latestResults, prepareSystemWorkspace, recentResults, saveResults } from './store';

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase();
});

const result = (id: string, probe: string, ranAtMs: number, passed = true) => ({ id, probe, processId: 'p', ranAtMs, durationMs: 5, passed, detail: 'Seen.', figures: { n: 1 } });

test('the latest result of each probe is found, and what is older than a month goes', async () => {
  const now = Date.now();
  await saveResults(t.db, [result('probe_1', 'a', now - 31 * 86_400_000), result('probe_2', 'a', now - 2_000), result('probe_3', 'a', now - 1_000, false), result('probe_4', 'b', now - 3_000)]);
  expect((await latestResults(t.db)).map((each) => [each.probe, each.id, each.passed])).toEqual([['a', 'probe_3', false], ['b', 'probe_4', true]]);
  expect((await recentResults(t.db, 10)).map((each) => each.id)).toEqual(['probe_3', 'probe_2', 'probe_4']);
  expect((await latestResults(t.db))[0]).toEqual(result('probe_3', 'a', now - 1_000, false));
});

test('calls of probes go after a month, whatever is asked never within a week, and a customer’s call stays', async () => {
  await t.owner`insert into workspaces (id, slug, name) values ('ws_customer', 'customer', 'Customer')`;
  const call = (id: string, workspaceId: string, days: number) => ({
    id, workspace_id: workspaceId, key_id: 'key', created_at: new Date(Date.now() - days * 86_400_000).toISOString(), route: 'r', requested_model: 'r', surface: 'chat.completions', stream: true,
    commit: 'first_content', request_bytes: 1, finished_at: new Date().toISOString(), state: 'finished', replay: 'BYPASS', status: 200, flushed_bytes: 1, malformed_events: 0, attempts: [], usage_estimated: [], duration_ms: 1,
  });
  const rows = [call('call_old', 'ws_system', 40), call('call_new', 'ws_system', 6), call('call_customer', 'ws_customer', 400)];
  await t.owner`select ohm_ledger_drain(${JSON.stringify(rows)}::text::jsonb, '[]')`;
  await saveResults(t.db, [result('probe_5', 'c', Date.now())]);
  await t.owner`select ohm_sweep_probe_calls('0 days')`;
  expect((await t.owner`select id from calls order by id`).map((row) => row.id as string)).toEqual(['call_customer', 'call_new']);
});

test('the system workspace is prepared once and brought up to date, by several processes at once', async () => {
  await Promise.all([prepareSystemWorkspace(t.db, PROBES), prepareSystemWorkspace(t.db, PROBES), prepareSystemWorkspace(t.db, PROBES)]);
  const names = PROBES.flatMap((probe) => Object.keys(probe.routes)).sort();
  expect((await t.owner`select name from routes where workspace_id = 'ws_system' order by name`).map((row) => row.name as string)).toEqual(names);
  const changed: Probe = { ...PROBES[0]!, routes: { 'probe-failover': ['text:1', 'text:2', 'text:3'] } };
  await prepareSystemWorkspace(t.db, [changed]);
  const tiers = await t.owner`select model from route_tiers where route_id = 'route_system_probe-failover' order by position`;
  expect(tiers.map((row) => row.model as string)).toEqual(['text:1', 'text:2', 'text:3']);
  // The usual ones again, for whoever comes next.
  await prepareSystemWorkspace(t.db, PROBES);
  expect((await t.owner`select count(*)::int as n from route_tiers where route_id = 'route_system_probe-failover'`)[0]!.n).toBe(2);
});

test('keys of probes that have ended are cleared away by the next one', async () => {
  const first = await issueProbeKey(t.db, 'test', -1_000);
  const second = await issueProbeKey(t.db, 'test', 60_000);
  const ids = (await t.owner`select id from keys`).map((row) => row.id as string);
  expect([ids.includes(first.id), ids.includes(second.id)]).toEqual([false, true]);
});
