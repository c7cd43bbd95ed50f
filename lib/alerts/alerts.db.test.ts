import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AlertCreate, AlertView } from '../management/schemas';
import { attempt } from '../metering/fixtures';
import { alertCreate } from '../management/schemas';
import { createKey, updateKey } from '../tenancy/keys';
import { updateWorkspace, getWorkspace } from '../tenancy';
import { startAlerts } from './alerts';
import { createChannel } from './channel-verbs';
import { createAlert, deleteAlert, getAlert, listAlertEvents, updateAlert } from './rule-verbs';
import { createTestAlerts, cut, rerouted, type TestAlerts } from './test-alerts';

let t: TestAlerts;
beforeAll(async () => {
  t = await createTestAlerts();
});
beforeEach(async () => {
  await t.owner`truncate calls`;
  await t.owner`delete from alert_rules`;
  await t.owner`delete from alert_deliveries`;
});

let serial = 0;
async function rule(kind: AlertCreate['kind'], more: Partial<AlertCreate> = {}): Promise<AlertView> {
  const made = await createAlert(t.services, t.actor, alertCreate.parse({ name: `rule ${++serial}`, kind, ...more }));
  await t.owner`update alert_rules set watched_since = ${t.at(-86_400)} where id = ${made.id}`;
  return made;
}

/** Oldest first: type, subject, figure. */
async function history(id: string): Promise<unknown[]> {
  const { data } = await listAlertEvents(t.services, t.actor, id, { limit: 100 });
  return data.reverse().map(({ type, subject, value }) => [type, ...(subject === '' ? [] : [subject]), value]);
}

const summaries = async (id: string) => (await listAlertEvents(t.services, t.actor, id, { limit: 100 })).data.reverse().map(({ summary }) => summary);

describe('the same 429', () => {
  test('before content and after content are two alerts, and neither rings for the other', async () => {
    const before = await rule('rate_limited.before_content', { window_s: 60 });
    const after = await rule('rate_limited.after_content', { window_s: 60 });
    await t.call(1, rerouted('rate_limited'));
    await t.look(2);
    expect([await history(before.id), await history(after.id)]).toEqual([[['fired', 1]], []]);
    await t.call(3, cut('rate_limited'));
    await t.look(4);
    expect([await history(before.id), await history(after.id)]).toEqual([[['fired', 1]], [['fired', 1]]]);
    expect(await summaries(before.id)).toEqual(['429 after 0 bytes: 1 call in 1 min, the latest by openai gpt-4o-mini.']);
    expect(await summaries(after.id)).toEqual(['429 after 5,312 bytes: 1 call in 1 min, the latest by openai gpt-4o-mini.']);
  });

  test('is found in a call whose last failure was another one', async () => {
    const { id } = await rule('rate_limited.before_content', { window_s: 60 });
    await t.call(1, { tier: 3, alert_class: 'server_error.before_content', attempts: [attempt({ state: 'failed', class: 'rate_limited', bytes: 0 }), attempt({ tier: 2, state: 'failed', class: 'server_error', bytes: 0 }), attempt({ tier: 3 })] });
    await t.look(2);
    expect(await history(id)).toEqual([['fired', 1]]);
  });

  test('that a tier gave twice is one call', async () => {
    const { id } = await rule('rate_limited.before_content', { window_s: 60, threshold: 2 });
    const twice = attempt({ state: 'failed', class: 'rate_limited', bytes: 0 });
    await t.call(1, { tier: 2, alert_class: 'rate_limited.before_content', attempts: [twice, twice, attempt({ tier: 2 })] });
    await t.look(2);
    expect(await history(id)).toEqual([]);
    await t.call(3, rerouted('rate_limited'));
    await t.look(4);
    expect(await history(id)).toEqual([['fired', 2]]);
  });
});

describe('a window', () => {
  test('holds what ended in it: not the millisecond at its beginning, and nothing that is yet to come', async () => {
    const { id } = await rule('stalled.after_content', { window_s: 60 });
    await t.call(0, cut('stalled'));
    await t.call(61, cut('timeout'));
    await t.look(60);
    expect(await history(id)).toEqual([]);
    await t.look(61);
    expect(await history(id)).toEqual([['fired', 1]]);
  });

  test('holds a call by its end, however long ago it began', async () => {
    const { id } = await rule('stalled.after_content', { window_s: 60 });
    await t.call(1_800, { ...cut('stalled'), created_at: t.at(-3_600).toISOString() });
    await t.look(1_801);
    expect(await history(id)).toEqual([['fired', 1]]);
  });
});

describe('an episode', () => {
  test('fires once, however often and however many look, and is over after a clear window', async () => {
    const { id } = await rule('rate_limited.before_content', { window_s: 60 });
    await t.call(1, rerouted('rate_limited'));
    await Promise.all(Array.from({ length: 8 }, () => t.look(2)));
    await t.call(30, rerouted('rate_limited'));
    await t.look(31);
    expect(await history(id)).toEqual([['fired', 1]]);
    expect((await getAlert(t.services, t.actor, id)).state).toBe('firing');
    await t.look(91); // the last call has left the window
    await t.look(150.9);
    expect(await history(id)).toEqual([['fired', 1]]);
    await t.look(151);
    expect(await history(id)).toEqual([['fired', 1], ['recovered', 0]]);
    expect(await getAlert(t.services, t.actor, id)).toMatchObject({ state: 'ok', firing: [] });
    const { data } = await listAlertEvents(t.services, t.actor, id, { limit: 10 });
    expect(new Set(data.map(({ episode_id }) => episode_id)).size).toBe(1);
    await t.call(200, rerouted('rate_limited'));
    await t.look(201);
    expect((await history(id)).length).toBe(3);
  });

  test('of one connection’s credential is its own', async () => {
    const { id } = await rule('auth', { window_s: 60 });
    await t.call(1, rerouted('auth', { connection: 'a', upstream_status: 401 }));
    await t.call(2, rerouted('auth', { connection: 'b', upstream_status: 401 }));
    await t.call(2, rerouted('auth', { connection: 'b', upstream_status: 401 }));
    await t.look(3);
    expect((await history(id)).sort()).toEqual([['fired', 'a', 1], ['fired', 'b', 2]]); // both at one moment
  });

  test('ends with its rule, and says so', async () => {
    const edited = await rule('rate_limited.before_content', { window_s: 60 });
    const off = await rule('rate_limited.before_content', { window_s: 60 });
    await t.call(1, rerouted('rate_limited'));
    await t.look(2);
    await updateAlert(t.services, t.actor, { id: edited.id, revision: 1, change: { kind: 'auth' } });
    await updateAlert(t.services, t.actor, { id: off.id, revision: 1, change: { enabled: false } });
    expect((await summaries(edited.id)).at(-1)).toContain('watches something else');
    expect((await summaries(off.id)).at(-1)).toContain('switched off');
    await t.look(3);
    expect((await history(off.id)).length).toBe(2);
  });
});

describe('scopes', () => {
  test('of a key and of a route see their own calls only', async () => {
    const key = await createKey(t.tenancy, t.actor, { name: `key ${++serial}`, default_route: null, strict_route: false, direct_models: false, tiers: null, expires_at: null } as never);
    const byKey = await rule('rate_limited.before_content', { window_s: 60, scope: { type: 'key', name: key.name } });
    const byRoute = await rule('rate_limited.before_content', { window_s: 60, scope: { type: 'route', name: 'demo' } });
    expect([byKey.scope, byRoute.scope.name]).toEqual([{ type: 'key', id: key.id, name: key.name }, 'demo']);
    await t.call(1, { ...rerouted('rate_limited'), route: 'other' });
    await t.look(2);
    expect([await history(byKey.id), await history(byRoute.id)]).toEqual([[], []]);
    await t.call(3, { ...rerouted('rate_limited'), route: 'demo', key_id: key.id });
    await t.look(4);
    expect([await history(byKey.id), await history(byRoute.id)]).toEqual([[['fired', 1]], [['fired', 1]]]);
  });
});

describe('shares', () => {
  test('are of the calls that were served, or that were tried, and say nothing of few', async () => {
    const failover = await rule('failover_rate', { window_s: 60, threshold: 20, min_calls: 5 });
    const truncation = await rule('truncation_rate', { window_s: 60, threshold: 20, min_calls: 5 });
    const errors = await rule('error_rate', { window_s: 60, threshold: 50, min_calls: 6 });
    await t.call(1, rerouted('server_error'));
    await t.call(1, cut('cut'));
    for (let n = 0; n < 2; n++) await t.call(1);
    await t.call(1, { replay: 'HIT', attempts: [] }); // asked nobody
    await t.call(1, { state: 'rejected', tier: null, attempts: [] }); // refused by the gateway itself
    await t.look(2);
    for (const { id } of [failover, truncation, errors]) expect(await history(id)).toEqual([]);
    await t.call(3, { state: 'rejected', tier: null, alert_class: 'connect.before_content', attempts: [attempt({ state: 'failed', class: 'connect', bytes: 0 })] });
    await t.call(3);
    await t.look(4);
    expect(await history(failover.id)).toEqual([['fired', 20]]);
    expect(await history(truncation.id)).toEqual([['fired', 20]]);
    expect(await history(errors.id)).toEqual([]); // 2 of 6
    await t.call(5, cut('cut'));
    await t.call(5, cut('cut'));
    await t.look(6);
    expect(await history(errors.id)).toEqual([['fired', 50]]);
  });
});

test('silence rings when nothing came in a whole window, and is over with the first call', async () => {
  const { id } = await rule('no_traffic', { window_s: 60 });
  await t.call(1);
  await t.look(60);
  expect(await history(id)).toEqual([]);
  await t.look(61);
  await t.look(90);
  expect(await history(id)).toEqual([['fired', 0]]);
  await t.call(100);
  await t.look(101);
  expect(await history(id)).toEqual([['fired', 0], ['recovered', 1]]);
});

test('silence is not told of before the rule has listened for a window', async () => {
  const { id } = await createAlert(t.services, t.actor, alertCreate.parse({ name: `rule ${++serial}`, kind: 'no_traffic', window_s: 7_200 }));
  await t.look(3_500);
  expect(await history(id)).toEqual([]);
});

test('a model without a price rings once for each such model', async () => {
  const { id } = await rule('unpriced_model', { window_s: 60 });
  await t.call(1, { cost_nano_usd: null, price_version: null, model: 'x-1' });
  await t.call(1, { cost_nano_usd: null, price_version: null, model: 'x-1' });
  await t.call(1, { cost_nano_usd: null, usage: null, usage_source: null, model: 'x-2' }); // used nothing
  await t.call(1);
  await t.look(2);
  expect(await history(id)).toEqual([['fired', 'openai/x-1', 2]]);
});

describe('budgets', () => {
  test('ring at each step from the threshold on, for each budget, and are over when the limit is raised', async () => {
    const key = await createKey(t.tenancy, t.actor, { name: `key ${++serial}`, default_route: null, strict_route: false, direct_models: false, tiers: null, expires_at: null, limits: { daily_cost_usd: 1, on_budget: 'warn' } } as never);
    const now = 3_590;
    const { id } = await rule('budget', { threshold: 50 });
    const spend = (usd: number) => t.call(now, { key_id: key.id, cost_nano_usd: Math.round(usd * 1e9) });
    await spend(0.499);
    await t.look(now);
    expect(await history(id)).toEqual([]);
    await spend(0.001);
    await t.look(now + 1);
    await spend(0.35);
    await t.look(now + 2);
    await t.look(now + 3);
    await spend(0.2);
    await t.look(now + 4);
    const subject = `${key.id}:day`;
    expect((await history(id)).map((event) => (event as [string, string, number]).slice(0, 2))).toEqual([['fired', subject], ['fired', subject], ['fired', subject]]);
    expect((await history(id)).map((event) => Math.round((event as [string, string, number])[2]))).toEqual([50, 85, 105]);
    expect((await getAlert(t.services, t.actor, id)).firing).toEqual([expect.objectContaining({ subject, level: 100 })]);
    expect((await summaries(id))[1]).toMatch(/^85% of the daily budget of key key \d+ is used: \$0\.85 of \$1\.00\. It begins anew at /);
    await updateKey(t.tenancy, t.actor, { id: key.id, revision: 1, change: { limits: { daily_cost_usd: 100 } } as never });
    await t.look(now + 5);
    expect(((await history(id)).at(-1) as unknown[])[0]).toBe('recovered');
  });

  test('of the workspace are the sum of its keys', async () => {
    const { revision } = await getWorkspace(t.tenancy, t.actor);
    await updateWorkspace(t.tenancy, t.actor, { revision, change: { limits: { monthly_cost_usd: 1 } } as never });
    const { id } = await rule('budget', { threshold: 100 });
    await t.call(3_590, { key_id: 'key_1', cost_nano_usd: 600_000_000 });
    await t.call(3_590, { key_id: 'key_2', cost_nano_usd: 400_000_000 });
    await t.look(3_591);
    expect(await history(id)).toEqual([['fired', 'workspace:month', 100]]);
    await updateWorkspace(t.tenancy, t.actor, { revision: revision + 1, change: { limits: null } });
    await t.look(3_592);
    expect(((await history(id)).at(-1) as unknown[])[0]).toBe('recovered');
  });
});

describe('who is told', () => {
  const messages = async () => (await t.owner<{ type: string; target: string }[]>`select message #>> '{payload,type}' as type, target from alert_deliveries order by created_at, id`).map(({ type, target }) => `${type} ${target}`);
  const mail = async () => (await createChannel(t.tenancy, t.actor, { type: 'email', name: `mail ${++serial}`, email: 'ops@example.com' })).id;

  test('is every channel, of the beginning and of the end', async () => {
    await rule('rate_limited.before_content', { window_s: 60, channels: [await mail(), await mail()] });
    await t.call(1, rerouted('rate_limited'));
    await t.look(2);
    await t.look(70);
    await t.look(140);
    expect(await messages()).toEqual(['alert.fired ops@example.com', 'alert.fired ops@example.com', 'alert.recovered ops@example.com', 'alert.recovered ops@example.com']);
  });

  test('is nobody while it is muted, and of what goes on after that after all', async () => {
    const { id } = await rule('rate_limited.before_content', { window_s: 60, channels: [await mail()] });
    await updateAlert(t.services, t.actor, { id, revision: 1, change: { muted_until: t.at(50).toISOString() } });
    await t.call(1, rerouted('rate_limited'));
    await t.look(2);
    expect([await history(id), await messages()]).toEqual([[['fired', 1]], []]);
    await t.call(45, rerouted('rate_limited'));
    await t.look(51);
    await t.look(52);
    expect(await messages()).toEqual(['alert.fired ops@example.com']);
    await t.look(106);
    await t.look(170);
    expect([await history(id), await messages()]).toEqual([[['fired', 1], ['recovered', 0]], ['alert.fired ops@example.com', 'alert.recovered ops@example.com']]);
  });

  test('is nobody of an end whose beginning nobody heard of', async () => {
    const { id } = await rule('rate_limited.before_content', { window_s: 60, channels: [await mail()] });
    await updateAlert(t.services, t.actor, { id, revision: 1, change: { muted_until: t.at(50).toISOString() } });
    await t.call(1, rerouted('rate_limited'));
    await t.look(2);
    await t.look(61);
    await t.look(130);
    expect([await history(id), await messages()]).toEqual([[['fired', 1], ['recovered', 0]], []]);
  });

  test('is everybody who heard of its beginning, when the alert is deleted', async () => {
    const { id } = await rule('rate_limited.before_content', { window_s: 60, channels: [await mail()] });
    await t.call(1, rerouted('rate_limited'));
    await t.look(2);
    await deleteAlert(t.services, t.actor, { id, revision: null });
    expect(await messages()).toEqual(['alert.fired ops@example.com', 'alert.recovered ops@example.com']);
    expect(await t.owner`select * from alert_clocks`).toHaveLength(0);
  });
});

test('rules that are edited while they are looked at neither lose an edit nor a look', async () => {
  const { id } = await rule('rate_limited.before_content', { window_s: 60 });
  let revision = 1;
  for (let round = 0; round < 15; round++) {
    await Promise.all([t.look(round + 1), updateAlert(t.services, t.actor, { id, revision: revision++, change: { threshold: round + 2 } }), t.look(round + 1.5)]);
  }
  expect(await getAlert(t.services, t.actor, id)).toMatchObject({ revision: 16, threshold: 16, evaluated_at: t.at(15.5).toISOString() });
});

test('of several processes one looks at a workspace, twice in its shortest window', async () => {
  await rule('rate_limited.before_content', { window_s: 20 });
  await t.call(3_599, rerouted('rate_limited'));
  const processes = Array.from({ length: 4 }, () => startAlerts({ ...t.options(), publicUrl: 'https://ohm.example', log: { warn: () => undefined, error: (fields) => expect(fields).toBeUndefined() }, everyMs: 3_600_000 }));
  await Promise.all(processes.map((each) => each.idle()));
  const [clock] = await t.owner`select every_s, due_at > now() as later, due_at <= now() + interval '10 seconds' as soon from alert_clocks`;
  expect(clock).toEqual({ every_s: 10, later: true, soon: true });
  const [evaluated] = await t.owner`select evaluated_at is not null as yes from alert_rules`;
  expect(evaluated).toEqual({ yes: true });
  expect((await t.owner`select 1 from alert_events`).length).toBeLessThanOrEqual(1);
  await Promise.all(processes.map((each) => each.close()));
});
