import type postgres from 'postgres';

/** Names of the tenant tables, from the catalog: a table added tomorrow is among them. */
export async function tenantTables(owner: postgres.ISql): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and (c.relname = 'workspaces' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped))
    order by 1`;
  return rows.map((row) => row.name);
}

/** One row in every tenant table for each of two workspaces, a and b. Tests of isolation fail when a table is left out. */
export async function seedTwoTenants(owner: postgres.Sql): Promise<void> {
  for (const x of ['a', 'b']) {
    const ws = `ws_${x}`;
    await owner`insert into users (id, email, password_hash) values (${`user_${x}`}, ${`${x}@example.com`}, 'none')`;
    await owner`insert into workspaces (id, slug, name) values (${ws}, ${x}, ${x})`;
    await owner`insert into members (workspace_id, user_id, role) values (${ws}, ${`user_${x}`}, 'owner')`;
    await owner`insert into connections (id, workspace_id, name, kind, provider, base_url) values (${`conn_${x}`}, ${ws}, 'sandbox', 'sandbox', 'sandbox', '')`;
    await owner`insert into connection_prices (id, workspace_id, connection_id, model, effective_from, input, output, created_by) values (${`price_${x}`}, ${ws}, ${`conn_${x}`}, 'echo', '2026-01-01', 1000, 2000, 'user:u')`;
    await owner`insert into routes (id, workspace_id, name) values (${`route_${x}`}, ${ws}, 'chat')`;
    await owner`insert into route_tiers (route_id, workspace_id, position, connection_id, model) values (${`route_${x}`}, ${ws}, 1, ${`conn_${x}`}, 'echo')`;
    await owner`insert into route_versions (workspace_id, route_id, revision, snapshot, created_by) values (${ws}, ${`route_${x}`}, 1, '{}', 'user:u')`;
    await owner`insert into keys (id, workspace_id, name, token_hash, last4, created_by) values (${`key_${x}`}, ${ws}, 'ci', ${`hash_${x}`}, 'abcd', 'user:u')`;
    await owner`insert into key_tiers (key_id, workspace_id, position, connection_id, model) values (${`key_${x}`}, ${ws}, 1, ${`conn_${x}`}, 'echo')`;
    await owner`insert into management_keys (id, workspace_id, name, token_hash, last4, created_by) values (${`mk_${x}`}, ${ws}, 'ci', ${`mhash_${x}`}, 'abcd', 'user:u')`;
    await owner`insert into invites (id, workspace_id, email, role, token_hash, invited_by, expires_at) values (${`invite_${x}`}, ${ws}, 'new@example.com', 'viewer', ${`ihash_${x}`}, ${`user:user_${x}`}, '2030-01-01')`;
    await owner`insert into audit_log (workspace_id, seq, at, actor_kind, actor_id, action, target, previous_hash, hash) values (${ws}, 1, now(), 'system', 'system', 'x', 'x', '', 'x')`;
    await owner`insert into calls (id, workspace_id, key_id, created_at, route, requested_model, surface, stream, commit, request_bytes, finished_at, state, alert_class, attempts, usage_estimated, first_content_ms)
      values (${`call_${x}`}, ${ws}, ${`key_${x}`}, '2026-01-01', 'chat', 'auto', 'chat.completions', true, 'first_content', 1, '2026-01-01', 'finished', 'auth.before_content', '[{"tier": 1, "state": "failed", "class": "auth"}]', '[]', 90)`; // triggers make its row in usage_rollups, usage_blocks, usage_parts, usage_groups, usage_latencies and call_classes
    await owner`insert into kept_texts (call_id, workspace_id, key_id, kept_at, expires_at, sealed) values (${`call_${x}`}, ${ws}, ${`key_${x}`}, '2026-01-01', '2026-01-08', 'x')`;
    await owner`insert into budget_balances (workspace_id, scope_id, period, spent_nano_usd) values (${ws}, ${ws}, '2026-01', 1)`;
    await owner`insert into budget_holds (call_id, workspace_id, key_id, nano_usd) values (${`call_held_${x}`}, ${ws}, ${`key_${x}`}, 1)`;
    await owner`insert into alert_channels (id, workspace_id, name, type, target, created_by) values (${`channel_${x}`}, ${ws}, 'ops', 'email', 'ops@example.com', 'user:u')`;
    await owner`insert into alert_rules (id, workspace_id, name, kind, threshold, window_s, channel_ids, created_by) values (${`alert_${x}`}, ${ws}, 'cut', 'auth', 1, 300, '[]', 'user:u')`;
    await owner`insert into alert_clocks (workspace_id, every_s) values (${ws}, 30)`;
    await owner`insert into alert_events (id, workspace_id, rule_id, episode_id, type, subject, threshold, summary, facts, muted, at) values (${`event_${x}`}, ${ws}, ${`alert_${x}`}, 'episode', 'fired', '', 1, 'x', '{}', false, now() - interval '8 days')`;
    await owner`insert into alert_episodes (workspace_id, rule_id, subject, id, began_at, level, value, event_id, told) values (${ws}, ${`alert_${x}`}, '', 'episode', now(), 1, 1, ${`event_${x}`}, true)`;
    await owner`insert into alert_deliveries (id, workspace_id, event_id, channel_id, type, target, message, next_try_at, created_at) values (${`msg_${x}`}, ${ws}, ${`event_${x}`}, ${`channel_${x}`}, 'email', 'ops@example.com', '{}', now(), now() - interval '8 days')`;
    await owner`insert into exports (id, workspace_id, format, filter, created_by, created_at) values (${`export_${x}`}, ${ws}, 'csv', '{}', 'user:u', now() - interval '8 days')`;
    await owner`insert into export_chunks (export_id, workspace_id, seq, data) values (${`export_${x}`}, ${ws}, 1, 'x')`;
    await owner`insert into open_calls (id, workspace_id, instance_id, admitted, admitted_at)
      select ${`call_open_${x}`}, ${ws}, 'instance', to_jsonb(c) || ${owner.json({ id: `call_open_${x}` })}, '2026-01-01' from calls c where id = ${`call_${x}`}`;
  }
}
