import { beforeAll, expect, test } from 'vitest';
import { createConnection, createInvite, createKey, createManagementKey } from './index';
import { operatorReset } from './password-reset';
import { createTestTenancy, TEST_PASSWORD, type TestTenancy } from './test-tenancy';
import { signIn } from './users';

let t: TestTenancy;
beforeAll(async () => {
  t = await createTestTenancy();
});

test('a dump of the whole database holds no key, credential, password or secret in the clear', async () => {
  const { actor, email } = await t.person();
  const upstream = 'sk-canary-4c1b2e7d9f';
  await createConnection(t.tenancy, actor, { name: 'main', kind: 'http', wire: 'openai', base_url: 'https://api.example.com/v1', api_key: upstream } as never);
  const key = await createKey(t.tenancy, actor, { name: 'ci', default_route: 'demo', direct_models: false, strict_route: false, tiers: null, expires_at: null } as never);
  const managementKey = await createManagementKey(t.tenancy, actor, { name: 'ci', role: 'admin', expires_at: null } as never);
  const { link } = await createInvite({ tenancy: t.tenancy, env: { publicUrl: 'https://ohm.example' } }, actor, { email: 'ann@example.com', role: 'viewer' });
  const invited = link!.split('/').at(-1)!;
  const log = { info: () => undefined, warn: () => undefined };
  const reset = (await operatorReset({ tenancy: t.tenancy, env: { publicUrl: 'https://ohm.example' }, log }, { email, password: null })).link!.url.split('/').at(-1)!;
  await signIn(t.tenancy, { email, password: 'wrong canary password' }, { address: '203.0.113.5', userAgent: null }).catch(() => {});

  const tables = await t.owner<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  let dump = '';
  for (const { name } of tables) dump += JSON.stringify(await t.owner.unsafe(`select t::text from ${name} t`));
  expect(dump).toContain(email); // it is the dump
  for (const secret of [upstream, upstream.slice(3), TEST_PASSWORD, 'canary password', t.secret, key.key, key.key.slice(7, 39), managementKey.key, managementKey.key.slice(7, 39), invited, invited.slice(7, 39), reset, reset.slice(7, 39)]) {
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(Buffer.from(secret).toString('base64').slice(0, 16));
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
  }
  expect(dump).not.toMatch(/ohm_(?:[sm]k|in|pw)_[0-9A-Za-z]{38}/);
});
