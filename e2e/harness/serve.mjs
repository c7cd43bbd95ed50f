// Playwright's webServer: the built product on a data folder that is gone afterwards.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dataDir = mkdtempSync(join(tmpdir(), 'ohm-journeys-'));
const child = spawn(process.execPath, ['.build/server.mjs'], {
  stdio: 'inherit',
  env: { ...process.env, OHM_DATA_DIR: dataDir, OHM_ALLOW_PRIVATE_UPSTREAMS: '127.0.0.0/8', OHM_DRAIN_MS: '1000' },
});
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code ?? 1);
});
