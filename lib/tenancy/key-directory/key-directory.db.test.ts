import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../gateway/ports';
import { createTestDatabase, type TestDatabase } from '../../db/test-database';
import { systemClock, type Clock } from '../../std';
import { createKeyring } from '../keyring';
import { issueToken } from '../token';
import { createKeyDirectory, type CachedKeyDirectory, type KeyDirectoryOptions } from './key-directory';

let t: TestDatabase;
const open: CachedKeyDirectory[] = [];
beforeAll(async () => {
  t = await createTestDatabase();
  await t.owner`insert into workspaces (id, slug, name) values ('ws_a', 'a', 'A'), ('ws_b', 'b', 'B')`;
  const keyring = createKeyring(t.secret);
  const sealed = keyring.seal('sk-upstream', { workspaceId: 'ws_a', recordId: 'conn_main', version: 1 });
  await t.owner`insert into connections (id, workspace_id, name, kind, provider, base_url, api_key_sealed)
    values ('conn_main', 'ws_a', 'main', 'http', 'openai', 'https://api.example.com/v1', ${sealed}),
           ('conn_sandbox', 'ws_a', 'sandbox', 'sandbox', 'sandbox', '', null)`;
  await t.owner`insert into routes (id, workspace_id, name, commit, deadline_ms, revision) values ('route_chat', 'ws_a', 'chat', 'complete', 5000, 3)`;
  await t.owner`insert into route_tiers (route_id, workspace_id, position, connection_id, model, first_content_timeout_ms)
    values ('route_chat', 'ws_a', 2, 'conn_sandbox', 'text:20', null), ('route_chat', 'ws_a', 1, 'conn_main', 'gpt-4o-mini', 8000)`;
});
afterAll(() => Promise.all(open.map((directory) => directory.close())));

const directory = (options: Partial<KeyDirectoryOptions> = {}) => {
  const made = createKeyDirectory({ db: t.db, keyring: createKeyring(t.secret), clock: systemClock, ...options });
  open.push(made);
  return made;
};

let serial = 0;
async function issue(columns: Record<string, unknown> = {}) {
  const { token, hash, last4 } = issueToken('sk');
  const id = `key_${++serial}`;
  const row = { id, workspace_id: 'ws_a', name: `k${serial}`, token_hash: hash, last4, created_by: 'user:u', ...columns };
  await t.owner`insert into keys ${t.owner(row)}`;
  return { id, token };
}

/** A clock that stands still until it is moved. */
function steppedClock() {
  let ms = 1_000_000;
  const clock: Clock = { now: () => systemClock.now() - 1_000_000 + ms, monotonic: () => ms };
  return { clock, advance: (by: number) => (ms += by) };
}

describe('a caller', () => {
  test('comes with its workspace: routes in order, connections, credentials that open', async () => {
    const { token } = await issue({ default_route_id: 'route_chat', strict_route: true });
    const { key, workspace } = (await directory().find(token))!;
    expect(key).toMatchObject({ workspaceId: 'ws_a', defaultRoute: 'chat', strictRoute: true, directModels: false, tiers: null, expiresAt: null });
    const route = workspace.routes.get('chat')!;
    expect(route).toMatchObject({ id: 'route_chat', commit: 'complete', deadlineMs: 5000, revision: 3 });
    expect(route.tiers.map((tier) => [tier.connection.name, tier.model, tier.firstContentTimeoutMs])).toEqual([
      ['main', 'gpt-4o-mini', 8000],
      ['sandbox', 'text:20', null],
    ]);
    expect(route.tiers[0]!.connection).toBe(workspace.connections.get('main'));
    expect(workspace.connections.get('main')!.apiKey()).toBe('sk-upstream');
    expect(workspace.connections.get('sandbox')!.apiKey()).toBeNull();
  });

  test('carries the tiers of a key that has its own', async () => {
    const { id, token } = await issue();
    await t.owner`insert into key_tiers (key_id, workspace_id, position, connection_id, model) values (${id}, 'ws_a', 1, 'conn_sandbox', 'echo')`;
    const caller = (await directory().find(token))!;
    expect(caller.key.tiers!.map((tier) => tier.model)).toEqual(['echo']);
  });

  test('is given at once, without a promise, when it was read before', async () => {
    const { token } = await issue();
    const made = directory();
    const first = await made.find(token);
    expect(made.find(token)).toBe(first);
  });

  test('shares its workspace with the other keys of it, and with itself after an unrelated change', async () => {
    const [one, two] = [await issue(), await issue()];
    const made = directory();
    const first = (await made.find(one.token))!;
    expect(((await made.find(two.token)) as Caller).workspace).toBe(first.workspace);
  });
});

test('a credential that was moved to another connection in the database is not sent by it', async () => {
  const { token } = await issue();
  await t.owner`insert into connections (id, workspace_id, name, kind, provider, base_url, api_key_sealed)
    select 'conn_thief', workspace_id, 'thief', 'http', 'custom', 'https://thief.example.com', api_key_sealed from connections where id = 'conn_main'`;
  const { workspace } = (await directory().find(token))!;
  expect(workspace.connections.get('main')!.apiKey()).toBe('sk-upstream');
  expect(workspace.connections.get('thief')!.apiKey()).toBeNull();
  await t.owner`delete from connections where id = 'conn_thief'`;
});

describe('nobody', () => {
  test.each([
    ['disabled', { disabled_at: new Date() }],
    ['revoked', { revoked_at: new Date() }],
    ['expired', { expires_at: new Date(Date.now() - 1000) }],
  ])('is behind a key that is %s', async (_, columns) => {
    const { token } = await issue(columns);
    expect(await directory().find(token)).toBeNull();
  });

  test('is behind a token that was never issued; junk does not reach the database', async () => {
    const closedOff = directory({ db: { ...t.db, unscoped: () => Promise.reject(new Error('asked the database')) } });
    for (const junk of ['', 'x', "' OR '1'='1", 'ohm_sk_' + 'a'.repeat(38), issueToken('mk').token]) expect(closedOff.find(junk)).toBeNull();
    expect(await directory().find(issueToken('sk').token)).toBeNull();
  });

  test('is behind a key whose expiry passes while it is kept', async () => {
    const { clock, advance } = steppedClock();
    const { token } = await issue({ expires_at: new Date(Date.now() + 1_500) });
    const made = directory({ clock, listen: false });
    expect(await made.find(token)).not.toBeNull();
    advance(1_600);
    expect(made.find(token)).toBeNull();
  });
});

describe('a revoked key', () => {
  test('is refused by another process as soon as it hears of it', async () => {
    const { id, token } = await issue();
    const other = await t.open();
    const made = directory({ db: other });
    expect(await made.find(token)).not.toBeNull();
    const heard = new Promise<void>((resolve) => other.onConfigChange(() => resolve()));
    await t.owner`update keys set revoked_at = now() where id = ${id}`;
    await heard;
    expect(await made.find(token)).toBeNull();
  });

  test('is refused within 5 s where no announcement arrives, even under steady use', async () => {
    const { clock, advance } = steppedClock();
    const { id, token } = await issue();
    const deaf = directory({ clock, listen: false });
    expect(await deaf.find(token)).not.toBeNull();
    await t.owner`update keys set revoked_at = now() where id = ${id}`;
    let refusedAfterMs = 0;
    while ((await deaf.find(token)) !== null) {
      refusedAfterMs += 100;
      advance(100);
    }
    expect(refusedAfterMs).toBeGreaterThan(0); // it was kept
    expect(refusedAfterMs).toBeLessThanOrEqual(5_000);
  });

  test('does not come back through a question that was under way when it was revoked', async () => {
    const { id, token } = await issue();
    let announce: (workspaceId: string | null) => void = () => {};
    let asked = 0;
    const made = directory({
      db: {
        ...t.db,
        onConfigChange: (listener) => ((announce = listener), () => {}),
        unscoped: async (work) => {
          const answer = await t.db.unscoped(work);
          if (++asked === 1) {
            await t.owner`update keys set revoked_at = now() where id = ${id}`;
            announce('ws_a'); // the answer of before is still on its way
          }
          return answer;
        },
      },
    });
    expect(await made.find(token)).toBeNull();
    expect(asked).toBe(2);
  });
});

describe('a rotated key', () => {
  test('keeps its former token until the overlap ends, and no longer', async () => {
    const { id, token: former } = await issue();
    const next = issueToken('sk');
    await t.owner`update keys set previous_token_hash = token_hash, token_hash = ${next.hash}, previous_valid_until = now() + interval '1 hour' where id = ${id}`;
    const made = directory({ listen: false });
    expect(((await made.find(next.token)) as Caller).key.id).toBe(id);
    const caller = (await made.find(former)) as Caller;
    expect(caller.key.id).toBe(id);
    expect(caller.key.expiresAt).toBeGreaterThan(Date.now());
    await t.owner`update keys set previous_valid_until = now() - interval '1 second' where id = ${id}`;
    expect(await directory().find(former)).toBeNull();
  });
});

describe('when the database is away', () => {
  test('what was read less than 4 s ago still works; everything else is DependencyUnavailable, and it recovers', async () => {
    const { clock, advance } = steppedClock();
    const { token } = await issue();
    const other = await issue();
    let away = false;
    const unscoped: TestDatabase['db']['unscoped'] = (work) => (away ? t.db.unscoped(() => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))) : t.db.unscoped(work));
    const made = directory({ db: { ...t.db, unscoped }, clock, listen: false });
    await made.find(token);
    away = true;
    advance(3_900);
    expect(await made.find(token)).not.toBeNull();
    await expect(Promise.resolve(made.find(other.token))).rejects.toMatchObject({ code: 'dependency_unavailable' });
    advance(200);
    await expect(Promise.resolve(made.find(token))).rejects.toMatchObject({ code: 'dependency_unavailable' });
    away = false;
    expect(await made.find(token)).not.toBeNull();
  });

  test('a thousand callers of one key ask it once', async () => {
    const { token } = await issue();
    let asked = 0;
    const made = directory({ db: { ...t.db, unscoped: (work) => (asked++, t.db.unscoped(work)) }, listen: false });
    await Promise.all(Array.from({ length: 1_000 }, () => made.find(token)));
    expect(asked).toBe(1);
  });
});

test('what is kept is bounded, for callers and for absent tokens', async () => {
  let asked = 0;
  const made = directory({ db: { ...t.db, unscoped: (work) => (asked++, t.db.unscoped(work)) }, maxEntries: 5, listen: false });
  const tokens = [];
  for (let i = 0; i < 8; i++) tokens.push((await issue()).token);
  for (const token of tokens) await made.find(token);
  expect(asked).toBe(8);
  expect(made.find(tokens[7]!)).not.toBeInstanceOf(Promise);
  expect(made.find(tokens[0]!)).toBeInstanceOf(Promise); // the longest unused made room
});

test('use is recorded, once a minute, and announces no change', async () => {
  const { id, token } = await issue();
  const heard: unknown[] = [];
  const stop = t.db.onConfigChange((ws) => heard.push(ws));
  const made = directory();
  await made.find(token);
  await made.find(token);
  heard.length = 0;
  await made.close();
  const [row] = await t.owner`select last_used_at from keys where id = ${id}`;
  expect(Date.now() - row!.last_used_at.getTime()).toBeLessThan(10_000);
  await t.owner`select pg_notify('ohm_config', 'ws_marker')`;
  await expect.poll(() => heard).toContain('ws_marker');
  expect(heard).not.toContain('ws_a');
  stop();
});

test('ohm_app cannot read keys by hash in any other way than the function', async () => {
  const rows = await t.db.unscoped((q) => q.execute(sql`select * from keys`));
  expect(rows).toHaveLength(0);
});
