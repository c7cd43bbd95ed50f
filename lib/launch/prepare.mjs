// Runs before npm start, npm test and their kin, when nothing may be installed yet: only Node's own modules here.
//
//   node lib/launch/prepare.mjs install   packages
//   node lib/launch/prepare.mjs bundle    packages, the server bundle
//   node lib/launch/prepare.mjs build     packages, the server bundle, the pages
//   node lib/launch/prepare.mjs test      packages with those of development, both builds, a browser, a redis-server
//
// Each step is skipped when its inputs have not changed. Says what it does on stderr, so that a command's
// stdout stays its own.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD = join(ROOT, '.build');
const ENTRIES = { server: 'lib/server/main.ts', 'next-door': 'lib/server/next-door.ts', cli: 'lib/launch/cli.ts', edge: 'lib/edge/main.ts', 'saver-worker': 'lib/savers/worker.ts' };
const say = (line) => process.stderr.write(`ohm: ${line}\n`);

class Stop extends Error {}
let knownLibc = null;

const mode = process.argv[2] ?? 'build';
try {
  checkNode();
  mkdirSync(BUILD, { recursive: true });
  await alone(async () => {
    noteCommit();
    install(mode === 'test');
    if (mode === 'install') return;
    bundle();
    if (mode === 'build' || mode === 'test') buildPages();
  });
  if (mode === 'test') {
    await browser();
    await redisServer();
  }
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  say(error.message);
  process.exitCode = 1;
}

function checkNode() {
  const [major, minor, patch] = process.versions.node.split('.').map(Number);
  const enough = major > 20 || (major === 20 && (minor > 18 || (minor === 18 && patch >= 1)));
  if (!enough) throw new Stop(`Node ${process.versions.node} is too old: Ohm needs 20.18.1 or newer`);
}

/** One preparation of a checkout at a time. A holder that died is pushed aside. */
async function alone(work) {
  const lock = join(BUILD, 'prepare.lock');
  for (let waited = 0; ; waited++) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = Number(readOr(lock, '0'));
    if (holder && !isAlive(holder)) rmSync(lock, { force: true });
    else {
      if (waited === 10) say(`waiting for process ${holder}, which prepares this checkout too`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The commit of the checkout, for the honesty document. Without git or outside a checkout: none. */
function noteCommit() {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return status === 0 ? stdout.trim() : null;
  };
  const commit = existsSync(join(ROOT, '.git')) ? git('rev-parse', 'HEAD') : null; // a checkout of its own, not one around it
  const changed = commit && git('status', '--porcelain', '--untracked-files=no', '--', 'app', 'lib', 'drizzle', 'package-lock.json');
  writeFileSync(join(BUILD, 'commit'), commit ? `${commit}${changed ? '-dirty' : ''}\n` : '');
}

function install(withDevelopment) {
  const missing = firstMissing(withDevelopment);
  if (!missing) return;
  say(`installing packages (${missing})`);
  const flags = withDevelopment ? ['--include=dev'] : [];
  if (npm(['ci', ...flags])) return;
  say('npm ci failed; trying again without the packages\' install scripts, which Ohm can do without');
  if (!npm(['ci', '--ignore-scripts', ...flags])) throw new Stop('npm ci failed: see its messages above');
}

/** What the lock file wants for this system and node_modules does not have, or null. */
function firstMissing(withDevelopment) {
  const installed = packagesIn(join(ROOT, 'node_modules/.package-lock.json'));
  if (!installed) return 'node_modules is missing';
  for (const [path, wanted] of Object.entries(packagesIn(join(ROOT, 'package-lock.json')) ?? {})) {
    if (path === '' || wanted.link || (wanted.optional && !isForHere(wanted)) || (wanted.dev && !withDevelopment && process.env.NODE_ENV === 'production')) continue;
    const found = installed[path];
    if (found?.version === wanted.version && existsSync(join(ROOT, path, 'package.json'))) continue;
    // npm leaves out optional packages that it cannot use, also for reasons the lock does not tell (a bundled wasm's peers).
    if (wanted.optional && !found && !wanted.os && !wanted.cpu) continue;
    return found ? `${path.replace(/^.*node_modules\//, '')} has changed` : `${path.replace(/^.*node_modules\//, '')} is missing`;
  }
  return null;
}

function packagesIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : null;
}

function isForHere({ os, cpu, libc }) {
  const allows = (list, here) => !list || (list.includes(here) || (list.some((name) => name[0] === '!') && !list.includes(`!${here}`)));
  return allows(os, process.platform) && allows(cpu, process.arch) && (!libc || allows(libc, libcHere()));
}

function libcHere() {
  knownLibc ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'; // slow: asked once
  return knownLibc;
}

function npm(args) {
  const own = process.env.npm_execpath; // npm itself, when it runs us
  const [command, first] = own && /npm-cli\.c?js$/.test(own) ? [process.execPath, [own]] : ['npm', []];
  return run(command, [...first, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {});
}

/** lib, as the node server and the command line run it: one file each, packages left outside. */
function bundle() {
  const entries = Object.entries(ENTRIES).filter(([, file]) => existsSync(join(ROOT, file)));
  const outputs = entries.map(([name]) => `${name}.mjs`);
  unlessUnchanged('bundle', ['lib', 'package-lock.json', 'tsconfig.json'], outputs.map((name) => join(BUILD, name)), () => {
    say('bundling the server');
    const esbuild = join(ROOT, 'node_modules/.bin/esbuild');
    const flags = ['--bundle', '--platform=node', '--format=esm', '--target=node20', '--packages=external', '--sourcemap=linked', '--log-level=warning', '--out-extension:.js=.mjs', `--outdir=${BUILD}`];
    if (!run(esbuild, [...entries.map(([name, file]) => `${name}=${file}`), ...flags], {})) throw new Stop('the server bundle failed: see the messages above');
  });
}

function buildPages() {
  const sources = ['app', 'lib', 'public', 'instrumentation.ts', 'next.config.ts', 'postcss.config.mjs', 'tsconfig.json', 'package-lock.json'];
  unlessUnchanged('pages', sources, [join(ROOT, '.next/BUILD_ID')], () => {
    say('building the pages (about half a minute)');
    rmSync(join(ROOT, '.next/BUILD_ID'), { force: true });
    const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
    if (!run(process.execPath, ['node_modules/next/dist/bin/next', 'build'], env)) throw new Stop('next build failed: see its messages above');
  });
}

/** Runs `work` when the sources are not those of its last success, or an output is gone. */
function unlessUnchanged(name, sources, outputs, work) {
  const stamp = join(BUILD, `${name}.stamp`);
  const hash = hashOf(sources);
  if (readOr(stamp, '') === hash && outputs.every((file) => existsSync(file))) return;
  rmSync(stamp, { force: true });
  work();
  writeFileSync(stamp, hash);
}

/** Contents and paths, tests aside. */
function hashOf(sources) {
  const hash = createHash('sha256').update(process.versions.modules);
  for (const file of sources.flatMap((source) => filesUnder(join(ROOT, source)))) {
    hash.update(`\0${relative(ROOT, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  const entries = (() => {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      if (error.code === 'ENOTDIR') return null;
      throw error;
    }
  })();
  if (!entries) return [path];
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : /\.(test|bench)\.tsx?$/.test(entry.name) ? [] : [join(path, entry.name)]));
}

async function browser() {
  const { ensureChromium } = await import('./chromium.mjs');
  const found = await ensureChromium(say);
  if (!found.path) say(found.problem); // the browser ring will fail and say so; the others can still run
}

async function redisServer() {
  const { ensureRedisServer } = await import('./redis-server.mjs');
  const found = ensureRedisServer(say);
  if (!found.path) say(found.problem);
}

function run(command, args, env) {
  const done = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2], env: { ...process.env, ...env } });
  if (done.error) say(`${command}: ${done.error.message}`);
  return done.status === 0;
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
