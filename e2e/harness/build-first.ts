import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The ring that runs the product runs it as it is built now; unchanged sources are not built again. */
export default function setup(): void {
  const prepare = fileURLToPath(new URL('../../lib/launch/prepare.mjs', import.meta.url));
  if (spawnSync(process.execPath, [prepare, 'build'], { stdio: 'inherit' }).status !== 0) throw new Error('the product could not be built');
}
