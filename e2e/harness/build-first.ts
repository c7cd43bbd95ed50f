import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * The ring that runs the product runs it as its sources are now; unchanged ones are not built again.
 * OHM_TEST_AS_BUILT=1 takes what was built last, for a test that is being written.
 */
export default function setup(): void {
  if (process.env.OHM_TEST_AS_BUILT === '1') return;
  const prepare = fileURLToPath(new URL('../../lib/launch/prepare.mjs', import.meta.url));
  if (spawnSync(process.execPath, [prepare, 'build'], { stdio: 'inherit' }).status !== 0) throw new Error('the product could not be built');
}
