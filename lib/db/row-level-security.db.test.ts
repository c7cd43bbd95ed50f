import { sql } from 'drizzle-orm';
import type postgres from 'postgres';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from './schema';
import { seedTwoTenants, tenantTables } from './test-tenants';
import { createTestDatabase, type TestDatabase } from './test-database';
import { withWorkspace } from './with-workspace';

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase();
  await seedTwoTenants(t.owner);
});

/** The functions that work without a workspace. A new one is a decision: add it here with its reason in its migration. */
const DEFINER_FUNCTIONS = [
  'ohm_alert_delivery_claim(p_lease interval, p_keep interval)',
  'ohm_alerts_due()',
  'ohm_budget_hold(p_call text, p_workspace text, p_key text, p_at timestamp with time zone, p_scopes jsonb, p_costs bigint[])',
  'ohm_export_claim(p_silence interval, p_keep interval)',
  'ohm_invite(p_token_hash text)',
  'ohm_key_config(p_token_hash text)',
  'ohm_ledger_admit(p_instance text, p_rows jsonb)',
  'ohm_ledger_close_lost(p_silence interval)',
  'ohm_ledger_drain(p_rows jsonb, p_corrections jsonb)',
  'ohm_ledger_take(p_rows json, p_count integer, p_corrections jsonb)',
  'ohm_ledger_take_packed(p_rows text, p_count integer)',
  'ohm_management_key(p_token_hash text)',
  'ohm_memberships(p_user_id text)',
  'ohm_public_figures(p_from timestamp with time zone, p_to timestamp with time zone)',
  'ohm_public_savings(p_from timestamp with time zone, p_to timestamp with time zone)',
  'ohm_sweep_kept_texts()',
  'ohm_sweep_probe_calls(p_keep interval)',
  'ohm_touch_keys(p_uses jsonb)',
  'ohm_usage_rebuild(p_from timestamp with time zone, p_to timestamp with time zone)',
];

describe('the catalog', () => {
  test('has no tenant table without row-level security, enabled, forced and with a policy that names the workspace', async () => {
    const tables = await tenantTables(t.owner);
    expect(tables.length).toBeGreaterThanOrEqual(12);
    expect(await unprotected(t.owner)).toEqual([]);
  });

  test('has no table that is neither a tenant table nor on the short list of those of no tenant', async () => {
    const rows = await t.owner<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public' order by 1`;
    const tenant = await tenantTables(t.owner);
    expect(rows.map((row) => row.name).filter((name) => !tenant.includes(name))).toEqual(['installation', 'ledger_instances', 'login_attempts', 'password_resets', 'probe_results', 'sessions', 'users']);
  });

  test('has exactly these SECURITY DEFINER functions, owned by ohm_definer, with a fixed search path, closed to PUBLIC', async () => {
    const rows = await t.owner<{ signature: string; owner: string; path: string; open: boolean }[]>`
      select p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as signature, p.proowner::regrole::text as owner,
        array_to_string(p.proconfig, ';') as path, has_function_privilege('public', p.oid, 'execute') as open
      from pg_proc p where p.prosecdef and p.pronamespace = 'public'::regnamespace order by 1`;
    expect(rows.map((row) => row.signature)).toEqual(DEFINER_FUNCTIONS);
    for (const row of rows) expect(row).toMatchObject({ owner: 'ohm_definer', path: 'search_path=pg_catalog, pg_temp', open: false });
  });

  test('gives ohm_app no ownership, no bypass, no way into ohm_definer, and nobody else anything', async () => {
    const [app] = await t.owner`select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, pg_has_role('ohm_app', 'ohm_definer', 'member') as definer from pg_roles where rolname = 'ohm_app'`;
    expect(app).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, definer: false });
    const [definer] = await t.owner`select rolcanlogin, rolsuper, rolbypassrls, has_schema_privilege('ohm_definer', 'public', 'create') as creates from pg_roles where rolname = 'ohm_definer'`;
    expect(definer).toEqual({ rolcanlogin: false, rolsuper: false, rolbypassrls: false, creates: false });
    expect(await t.owner`select grantee, table_name from information_schema.role_table_grants where table_schema = 'public' and grantee = 'PUBLIC'`).toHaveLength(0);
  });

  test('gives nobody but the owner a way to change what is in the audit log or to empty a table', async () => {
    const rows = await t.owner<{ name: string }[]>`
      select c.relname || ' ' || p.privilege as name from pg_class c, unnest(array['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) as p(privilege), unnest(array['ohm_app', 'ohm_definer']) as r(role)
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and has_table_privilege(r.role, c.oid, p.privilege)
        and (c.relname in ('audit_log', 'route_versions') or p.privilege in ('TRUNCATE', 'TRIGGER'))`;
    expect(rows).toEqual([]);
    for (const statement of ['update audit_log set action = \'x\'', 'delete from audit_log', 'truncate audit_log', 'update route_versions set revision = 9', 'delete from route_versions']) {
      await expect(withWorkspace(t.db, 'ws_a', (tx) => tx.execute(sql.raw(statement)))).rejects.toMatchObject({ code: '42501' });
    }
  });
});

describe('a transaction', () => {
  test('of one workspace sees, changes and writes its own rows, and of another nothing at all', async () => {
    const seen = await asApp(t.owner, observe);
    // A call is summed by five kinds of things in two lengths of time, and with all others in two more.
    for (const [table, row] of Object.entries(seen.tables)) expect({ table, ...row }).toEqual({ table, own: table === 'usage_groups' ? 12 : 1, foreign: 0 });
    expect(Object.keys(seen.tables)).toEqual(await tenantTables(t.owner));
    for (const [attempt, outcome] of Object.entries(seen.foreignWrites)) expect({ attempt, outcome }).toMatchObject({ outcome: expect.stringMatching(/^(refused 42501|refused 23\w+|0 rows)$/) });
  });

  test('that names no workspace sees no row of any', async () => {
    for (const table of await tenantTables(t.owner)) {
      const rows = await t.db.unscoped((q) => q.execute(sql`select * from ${sql.identifier(table)}`));
      expect({ table, rows: rows.length }).toEqual({ table, rows: 0 });
    }
  });

  test('of the application cannot become anybody else', async () => {
    for (const statement of ['set role ohm_definer', 'set session authorization postgres', 'alter table keys disable row level security', 'drop policy tenant on keys', 'alter role ohm_app bypassrls', 'set row_security = off; select * from keys']) {
      await expect(t.db.transaction((tx) => tx.execute(sql.raw(statement)))).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|22023|42704|0LP01)$/) });
    }
  });
});

test('200 transactions of two workspaces, interleaved over two connections and failing in between, never see a row of the other', async () => {
  const pool = await t.open({ poolSize: 2 });
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, async (_, i) => {
      const ws = i % 2 === 0 ? 'ws_a' : 'ws_b';
      if (i % 5 === 4) return await pool.unscoped((q) => q.select().from(routes)).then((rows) => ({ ws: '', ids: rows.map((row) => row.workspaceId) }));
      return await withWorkspace(pool, ws, async (tx) => {
        const before = await tx.select().from(routes);
        if (i % 7 === 0) await tx.execute(sql`select 1 / 0`);
        if (i % 11 === 0) throw new Error('on purpose');
        const after = await tx.select().from(routes);
        return { ws, ids: [...before, ...after].map((row) => row.workspaceId) };
      });
    }),
  );
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(results.length - done.length).toBeGreaterThan(30);
  for (const { ws, ids } of done) {
    expect(ids.filter((id) => id !== ws)).toEqual([]);
    expect(ids.length).toBe(ws === '' ? 0 : 2);
  }
});

describe('taking protection away turns this suite red', () => {
  test('each policy, dropped', async () => {
    const baseline = JSON.stringify(await asApp(t.owner, observe));
    const policies = await t.owner<{ table: string; policy: string }[]>`select tablename as table, policyname as policy from pg_policies where schemaname = 'public' order by 1, 2`;
    expect(policies.length).toBeGreaterThanOrEqual(20);
    const unnoticed: string[] = [];
    for (const { table, policy } of policies) {
      const observed = await mutated(`drop policy ${policy} on ${table}`);
      if (observed === baseline) unnoticed.push(`${policy} on ${table}`);
    }
    expect(unnoticed).toEqual([]);
  }, 120_000);

  test('each tenant policy, widened to everything; row-level security, disabled or no longer forced', async () => {
    const baseline = JSON.stringify(await asApp(t.owner, observe));
    for (const table of await tenantTables(t.owner)) {
      expect({ table, red: (await mutated(`alter policy tenant on ${table} using (true) with check (true)`)) !== baseline }).toEqual({ table, red: true });
      expect({ table, red: (await mutated(`alter table ${table} disable row level security`)) !== baseline }).toEqual({ table, red: true });
      await inRollback(t.owner, async (tx) => {
        await tx.unsafe(`alter table ${table} no force row level security`);
        expect(await unprotected(tx)).toEqual([table]);
      });
    }
  }, 120_000);
});

const mutated = async (statement: string): Promise<string> => {
  try {
    return JSON.stringify(await asApp(t.owner, observe, statement));
  } catch (error) {
    return `failed: ${(error as Error).message}`;
  }
};

/** Tenant tables whose protection is not complete. */
async function unprotected(owner: postgres.ISql): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and (c.relname = 'workspaces' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped))
      and not (c.relrowsecurity and c.relforcerowsecurity and exists (
        select from pg_policies p where p.tablename = c.relname and p.policyname = 'tenant' and p.roles = '{ohm_app}' and p.cmd = 'ALL'
          and p.qual like '%id = current_setting(''app.workspace''%' and p.with_check like '%id = current_setting(''app.workspace''%'))
    order by 1`;
  return rows.map((row) => row.name);
}

class Rollback extends Error {}

async function inRollback<T>(owner: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  let result: T;
  await owner
    .begin(async (tx) => {
      result = await work(tx);
      throw new Rollback();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Rollback)) throw error;
    });
  return result!;
}

/** Runs as ohm_app in workspace a, after a change of the schema if any, and undoes everything. */
function asApp<T>(owner: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>, change?: string): Promise<T> {
  return inRollback(owner, async (tx) => {
    if (change) await tx.unsafe(change);
    await tx`select set_config('app.workspace', 'ws_a', true)`;
    await tx`set local role ohm_app`;
    return await work(tx);
  });
}

/** What ohm_app in workspace a sees and can do. Any hole, and any policy missing, shows in it. */
async function observe(tx: postgres.TransactionSql) {
  const tables: Record<string, { own: number; foreign: number }> = {};
  const foreignWrites: Record<string, string> = {};
  for (const table of await tenantTables(tx)) {
    const column = table === 'workspaces' ? 'id' : 'workspace_id';
    const [row] = await tx.unsafe<{ own: number; foreign: number }[]>(
      `select count(*) filter (where ${column} = 'ws_a')::int as own, count(*) filter (where ${column} <> 'ws_a')::int as foreign from ${table}`,
    );
    tables[table] = row!;
    foreignWrites[`move ${table}`] = await attempt(tx, `update ${table} set ${column} = 'ws_b'`);
    foreignWrites[`delete ${table}`] = await attempt(tx, `delete from ${table} where ${column} <> 'ws_a'`);
  }
  return { tables, foreignWrites, functions: await exerciseFunctions(tx) };
}

async function attempt(tx: postgres.TransactionSql, statement: string): Promise<string> {
  try {
    return await tx.savepoint(async (sp) => `${(await sp.unsafe(statement)).count} rows`);
  } catch (error) {
    return `refused ${(error as { code?: string }).code}`;
  }
}

/** Every definer function does what it is for: each of ohm_definer's policies is needed by one of them. */
async function exerciseFunctions(tx: postgres.TransactionSql) {
  const [caller] = await tx`select key, workspace from ohm_key_config('hash_b')`;
  await tx`select ohm_touch_keys('[{"id": "key_a", "at_ms": 1700000000000}]')`;
  const [touched] = await tx`select last_used_at from keys where id = 'key_a'`;
  const managed = await tx`select * from ohm_management_key('mhash_a')`;
  const [used] = await tx`select last_used_at is not null as noted from management_keys where id = 'mk_a'`;
  const memberships = await tx`select workspace_id, role from ohm_memberships('user_b')`;
  const invited = await tx`select * from ohm_invite('ihash_b')`;
  await tx`select ohm_ledger_drain('[]', '[{"id": "call_a", "state": "aborted", "flushed_bytes": 7}]')`;
  const call = (id: string, state: string) => JSON.stringify([{ ...CALL, id, workspace_id: 'ws_a', state }]);
  await tx`select ohm_ledger_drain(${call('call_new', 'lost')}::text::jsonb, '[]')`;
  await tx`select ohm_ledger_drain(${call('call_new', 'finished')}::text::jsonb, '[]')`;
  await tx`select ohm_ledger_admit('instance', ${call('call_open', 'lost')}::text::jsonb)`;
  const closed = await tx`select ohm_ledger_close_lost('-1 hours') as n`;
  const scopes = JSON.stringify([{ scope_id: 'key_a', kind: 'key', period: '2026-01-01', starts: '2026-01-01Z', ends: '2026-01-02Z', limit_nano_usd: 1_000 }]);
  const [held] = await tx`select * from ohm_budget_hold('call_paid', 'ws_a', 'key_a', '2026-01-01Z', ${scopes}::text::jsonb, '{900}')`;
  const holds = await tx`select call_id, nano_usd from budget_holds order by 1`;
  const paid = JSON.stringify([{ ...CALL, id: 'call_paid', workspace_id: 'ws_a', state: 'finished', cost_nano_usd: 70 }]);
  await tx`select ohm_ledger_drain(${paid}::text::jsonb, '[]')`;
  const freed = await tx`select call_id from budget_holds order by 1`;
  const balances = await tx`select scope_id, period, spent_nano_usd from budget_balances order by 1, 2`;
  const calls = await tx`select id, state from calls order by id`;
  const open = await tx`select id from open_calls order by id`;
  const figures = await tx`select ohm_public_figures('-infinity', 'infinity') as f`;
  await tx`select ohm_ledger_drain(${JSON.stringify([{ ...CALL, id: 'call_probe', workspace_id: 'ws_system', state: 'finished' }])}::text::jsonb, '[]')`;
  const swept = await tx`select ohm_sweep_probe_calls('1 day') as n`;
  const rebuilt = await tx`select ohm_usage_rebuild(null, null) as n`;
  const sums = await tx`select calls, aborted from usage_rollups order by hour, calls`;
  await tx`select ohm_ledger_drain(${JSON.stringify([{ ...CALL, id: 'call_met', workspace_id: 'ws_a', state: 'finished', alert_class: 'quota.before_content', attempts: [{ class: 'quota' }] }])}::text::jsonb, '[]')`;
  const classes = await tx`select class, call_id from call_classes order by 1, 2`;
  const blocks = await tx`select hour, calls from usage_blocks order by hour, calls`;
  const parts = await tx`select hour, calls from usage_parts order by hour, calls`;
  const groups = await tx`select kind, hours, hour, calls from usage_groups order by kind, hours, hour, calls`;
  const latencies = await tx`select bucket, calls from usage_latencies`;
  await tx`select ohm_ledger_drain(${JSON.stringify([{ ...CALL, id: 'call_saved', workspace_id: 'ws_b', state: 'finished', arm: 'treated', conversation: 'c', usage: { prompt_tokens: 90 } }])}::text::jsonb, '[]')`;
  await tx`select ohm_ledger_drain('[]', '[{"id": "call_saved", "tokens_before": 100, "tokens_after": 80, "tokenizer": "t"}]')`;
  const savings = await tx`select ohm_public_savings('-infinity', 'infinity') as s`;
  const claimed = await tx`select * from ohm_export_claim('1 minute', '30 days')`;
  await tx`select ohm_export_claim('1 minute', '1 day')`;
  const kept = await tx`select id from exports`;
  const due = [...(await tx`select * from ohm_alerts_due()`), ...(await tx`select * from ohm_alerts_due()`)];
  const clocks = await tx`select due_at > now() as later from alert_clocks`;
  const claims = [...(await tx`select * from ohm_alert_delivery_claim('1 minute', '60 days')`), ...(await tx`select * from ohm_alert_delivery_claim('1 minute', '60 days')`)];
  const leases = await tx`select id, leased_until > now() as leased from alert_deliveries`;
  await tx`select ohm_alert_delivery_claim('1 minute', '1 day')`;
  const history = [...(await tx`select id from alert_events`), ...(await tx`select id from alert_deliveries`)];
  const textsSwept = await tx`select ohm_sweep_kept_texts() as n`;
  return { textsSwept, savings, rebuilt, due, clocks, claims, leases, history, sums, classes, blocks, parts, groups, latencies, claimed, kept, caller, touched, managed, used, memberships, invited, closed, held, holds, freed, balances, calls, open, figures, swept };
}

const CALL = {
  key_id: 'key_a', created_at: '2026-01-01T00:00:00Z', route: 'chat', requested_model: 'auto', surface: 'chat.completions', stream: true,
  commit: 'first_content', request_bytes: 1, finished_at: '2026-01-01T00:00:01Z', replay: 'MISS', status: 200, flushed_bytes: 1,
  malformed_events: 0, attempts: [], usage_estimated: [],
};
