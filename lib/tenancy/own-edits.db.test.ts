import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../gateway/ports';
import { keyCreate, routeCreate } from '../management/schemas';
import { createKeyDirectory } from './key-directory';
import { createKey, deleteKey } from './keys';
import { createRoute, deleteRoute } from './routes';
import { createTestTenancy, type TestTenancy } from './test-tenancy';

let t: TestTenancy;
beforeAll(async () => {
  t = await createTestTenancy();
});

test('whoever saved a change finds it in force in the same process, without any announcement of the database', async () => {
  // Every notification is held back: only what the process tells itself is left.
  const own: ((workspaceId: string | null) => void)[] = [];
  const deaf = { ...t.tenancy.db, onConfigChange: (listener: (workspaceId: string | null) => void) => (own.push(listener), () => undefined), announce: (workspaceId: string) => own.forEach((tell) => tell(workspaceId)) };
  const directory = createKeyDirectory({ db: deaf, keyring: t.tenancy.keyring, clock: t.tenancy.clock, ttlMs: 3_600_000 });
  const tenancy = { ...t.tenancy, db: deaf, directory };
  const { actor } = await t.person();
  const find = async (token: string) => (await directory.find(token)) as Caller | null;

  const issued = await createKey(tenancy, actor, keyCreate.parse({ name: 'app' }));
  expect([...(await find(issued.key))!.workspace.routes.keys()]).toEqual(['demo']);
  const route = await createRoute(tenancy, actor, routeCreate.parse({ name: 'chat', tiers: [{ connection: 'sandbox', model: 'echo' }] }));
  expect([...(await find(issued.key))!.workspace.routes.keys()].sort()).toEqual(['chat', 'demo']);
  await deleteRoute(tenancy, actor, { id: route.id, revision: route.revision });
  expect([...(await find(issued.key))!.workspace.routes.keys()]).toEqual(['demo']);
  await deleteKey(tenancy, actor, { id: issued.id, revision: issued.revision });
  expect(await find(issued.key)).toBeNull();
  await directory.close();
});
