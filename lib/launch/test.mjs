// npm test: the type check, every ring of vitest, the journeys in a browser; then one line that sums them up.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, PROBLEM } from './chromium.mjs';
import { findRedisServer, REDIS_PROBLEM } from './redis-server.mjs';

const reports = mkdtempSync(join(tmpdir(), 'ohm-reports-'));
const total = { passed: 0, failed: 0, skipped: 0 };

await ring('types', () => {
  const ok = run(['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.']);
  return ok ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
});

await ring('vitest', () => {
  const file = join(reports, 'vitest.json');
  const ok = run(['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  return counted(ok, file, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.testResults.filter((each) => each.status === 'failed' && each.assertionResults.length === 0).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }));
});

await ring('journeys', async () => {
  if (!(await findChromium())) {
    console.error(`ohm: ${PROBLEM}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const file = join(reports, 'playwright.json');
  const ok = run(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: file });
  return counted(ok, file, ({ stats, errors }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length, skipped: stats.skipped }));
});

rmSync(reports, { recursive: true, force: true });
if (!findRedisServer()) console.log(`\nohm: ${REDIS_PROBLEM}`);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

async function ring(name, work) {
  console.log(`\n--- ${name} ---`);
  const result = await work();
  for (const key of Object.keys(total)) total[key] += result[key];
}

function run(args, env = {}) {
  return spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0', ...env } }).status === 0;
}

/** A runner that failed without a failed test (it could not start, an error outside of tests) counts as one. */
function counted(ok, file, read) {
  try {
    const result = read(JSON.parse(readFileSync(file, 'utf8')));
    return ok || result.failed > 0 ? result : { ...result, failed: 1 };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
