import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase } from '../db/test-database';
import { issueProbeKey, prepareSystemWorkspace } from './store';
import { startTestProduct, type TestProduct } from './test-product';
import { VERIFY_COMMANDS } from './verify-commands';

const run = promisify(execFile);
const hasCurl = await run('curl', ['--version']).then(() => true, () => false);

let product: TestProduct;
let token: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  product = await startTestProduct({ db: database.db, secret: database.secret });
  // What a new workspace has: a sandbox connection and the route `demo`.
  await prepareSystemWorkspace(database.db, [{ id: 'verify', how: '', run: () => Promise.reject(new Error('never run')), routes: { demo: ['status:503', 'text:20'] } }]);
  const key = await issueProbeKey(database.db, 'verify', 60_000);
  await database.owner`update keys set direct_models = true where id = ${key.id}`;
  token = key.token;
}, 60_000);
afterAll(() => product.close());

it.skipIf(!hasCurl).each(VERIFY_COMMANDS.map((each) => [each.title, each] as const))('the command “%s” does what the page says', async (_title, { command, expect: wanted, forbid }) => {
  const { stdout } = await run('sh', ['-c', command(product.origin)], { env: { ...process.env, OHM_API_KEY: token } });
  for (const pattern of wanted) expect(stdout).toMatch(pattern);
  for (const pattern of forbid) expect(stdout).not.toMatch(pattern);
});
