import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { WorkerPoolOptions } from './worker-pool';

/**
 * The worker's script: bundled beside the server where the product is built (lib/launch/prepare.mjs), also for Next's
 * own server, which is started in the same folder; in development and in tests the source itself. Null where neither
 * is there, as on a host that only has what Next traced: long conversations are then left as they came.
 */
export function workerScript(): WorkerPoolOptions['script'] {
  const built = resolve(/* turbopackIgnore: true */ BUILT);
  if (process.env.NODE_ENV === 'production') return existsSync(built) ? { file: built, options: {} } : null;
  const source = resolve(/* turbopackIgnore: true */ SOURCE);
  return existsSync(source) ? { file: source, options: { execArgv: [] } } : null;
}

const BUILT = '.build/saver-worker.mjs';
const SOURCE = 'lib/savers/worker-from-source.mjs';
