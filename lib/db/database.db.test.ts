import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from './database';
import { routes, workspaces } from './schema';
import { createTestDatabase, type TestDatabase } from './test-database';
import { withWorkspace } from './with-workspace';

let t: TestDatabase;
beforeAll(async () => {
  t = await createTestDatabase();
});

describe('the application logs in as ohm_app, which no policy spares', () => {
  test('role', async () => {
    const [row] = await t.db.unscoped((q) => q.execute<{ name: string }>(sql`select current_user as name`));
    expect(row?.name).toBe('ohm_app');
  });
});

test('a workspace is made and seen inside its own scope', async () => {
  await withWorkspace(t.db, 'ws_a', (tx) => tx.insert(workspaces).values({ id: 'ws_a', slug: 'a', name: 'A' }));
  const rows = await withWorkspace(t.db, 'ws_a', (tx) => tx.select().from(workspaces));
  expect(rows.map((row) => row.id)).toEqual(['ws_a']);
});

test('opening a current database again changes nothing', async () => {
  const again = await openDatabase({ ownerUrl: t.ownerUrl, secret: t.secret });
  await again.close();
});

test('a change of configuration is heard in another process after its commit', async () => {
  const other = await t.open();
  const heard: (string | null)[] = [];
  let wake = () => {};
  other.onConfigChange((id) => {
    heard.push(id);
    wake();
  });
  const until = async (id: string | null) => {
    while (!heard.includes(id)) await new Promise<void>((resolve) => (wake = resolve));
  };
  await withWorkspace(t.db, 'ws_a', (tx) => tx.insert(routes).values({ id: 'route_1', workspaceId: 'ws_a', name: 'chat' }));
  await until('ws_a');
  heard.length = 0;
  await t.owner`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()`;
  await until(null);
  await withWorkspace(t.db, 'ws_a', (tx) => tx.update(routes).set({ deadlineMs: 5 }).where(eq(routes.id, 'route_1')));
  await until('ws_a');
});
