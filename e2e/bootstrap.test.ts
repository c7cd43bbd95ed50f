import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOhm, type RunningOhm } from './harness';

const dataDir = mkdtempSync(join(tmpdir(), 'ohm-bootstrap-'));
const FIRST = ['--email', 'first@example.com', '--password', 'correct horse battery staple', '--workspace', 'Acme'];

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** `npm run --silent ohm -- bootstrap …`, without npm. */
function bootstrap(args: string[], stdin = ''): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(OHM_|DATABASE_URL$|PORT$|NODE_ENV$|VITEST|NODE_OPTIONS$)/.test(name));
  const env = { ...Object.fromEntries(inherited), OHM_DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['.build/cli.mjs', 'bootstrap', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
    child.stdin?.end(stdin);
  });
}

const me = (ohm: RunningOhm, key: string) => fetch(`${ohm.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });

let ohm: RunningOhm | null = null;
afterAll(async () => {
  await ohm?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('on a folder where nothing was, it makes the installation, prints one line of JSON, and leaves nothing running', async () => {
  const { code, stdout, stderr } = await bootstrap([...FIRST, '--json']);
  expect([code, stdout.endsWith('\n'), stdout.trim().includes('\n')], stderr).toEqual([0, true, false]);
  expect(JSON.parse(stdout)).toMatchObject({ workspace: 'acme', management_key: expect.stringMatching(/^ohm_mk_[0-9A-Za-z]{38}$/), installation: `data folder ${dataDir}` });
  expect(stderr).toContain(`of this installation only: data folder ${dataDir}`);
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
});

describe('beside a running installation', () => {
  beforeAll(async () => {
    ohm = await startOhm({ dataDir });
  });

  test('run again it uses the person and the workspace, and the new key works as the first does', async () => {
    const again = JSON.parse((await bootstrap([...FIRST, '--json'])).stdout);
    const third = JSON.parse((await bootstrap([...FIRST, '--json'])).stdout);
    expect(third.workspace_id).toBe(again.workspace_id);
    expect(third.management_key).not.toBe(again.management_key);
    for (const { management_key } of [again, third]) {
      const answer = await me(ohm!, management_key);
      expect([answer.status, await answer.json()]).toMatchObject([200, { role: 'owner', workspace: { slug: 'acme', name: 'Acme' } }]);
    }
  });

  test('another workspace of the same person is made beside the first', async () => {
    const other = JSON.parse((await bootstrap([...FIRST.slice(0, -1), 'Beta', '--json'])).stdout);
    expect(other.workspace).toBe('beta');
  });

  test('without --json it says in words what it did, and the password may come from standard input', async () => {
    const args = ['--email', 'second@example.com', '--password', '-', '--workspace', 'Gamma'];
    const { code, stdout } = await bootstrap(args, 'another long passphrase\n');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Made the person second@example\.com\.\nMade the workspace "Gamma" \(\/gamma\)\.\nManagement key, shown this once: ohm_mk_[0-9A-Za-z]{38}\n$/)]);
  });

  test.each([
    ['a password that is not the person’s', [...FIRST.slice(0, 3), 'some other passphrase', ...FIRST.slice(4)], 1, /not its password/],
    ['an address that is none', ['--email', 'nobody', ...FIRST.slice(2)], 1, /not an e-mail address/],
    ['a short password', ['--email', 'third@example.com', '--password', 'eleven char', ...FIRST.slice(4)], 1, /at least 12 characters/],
    ['a missing option', FIRST.slice(0, 4), 2, /--workspace is missing/],
    ['an unknown option', [...FIRST, '--role', 'x'], 2, /--role/],
  ])('%s: nothing on stdout, a reason on stderr', async (_, args, code, reason) => {
    const ran = await bootstrap([...args, '--json']);
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(reason) });
  });
});
