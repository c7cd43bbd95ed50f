// A Chromium for the browser tests. Only Node's own modules; Playwright's are loaded when they are there.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of one that is there: named by PLAYWRIGHT_CHROMIUM_PATH, installed, or Playwright's own; else null. */
export async function findChromium() {
  return [process.env.PLAYWRIGHT_CHROMIUM_PATH, ...INSTALLED, await playwrightsOwn()].find(isExecutable) ?? null;
}

/** The same, and gets one when there is none: Playwright's download, else the system's package when we are root. */
export async function ensureChromium(say) {
  const found = await findChromium();
  if (found) return { path: found, problem: null };
  say('no Chromium here: trying Playwright\'s download');
  run(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '15000' });
  if (!(await findChromium()) && process.platform === 'linux' && process.getuid?.() === 0) {
    say('that did not work: trying the system\'s package (apt-get install chromium)');
    const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update', '-qq'], quiet);
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet);
  }
  const path = await findChromium();
  return path ? { path, problem: null } : { path: null, problem: PROBLEM };
}

export const PROBLEM =
  'no Chromium for the browser tests: none is installed, Playwright\'s download cannot be reached, and the system\'s package could not be installed. Install Chromium or Chrome, or name one in PLAYWRIGHT_CHROMIUM_PATH.';

async function playwrightsOwn() {
  try {
    const { chromium } = await import('@playwright/test');
    return chromium.executablePath();
  } catch {
    return undefined; // not installed, or it has none for this system
  }
}

function isExecutable(path) {
  if (!path) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function run(command, args, env) {
  return spawnSync(command, args, { stdio: ['ignore', 2, 2], timeout: 300_000, env: { ...process.env, ...env } }).status === 0;
}
