// npm run dev: the server from its sources, started anew when they change. Pages are Next's to reload.
//
// It is not `tsx watch`, because Ctrl-C reaches that one twice (from the terminal and through npm), which it takes
// for impatience: it would kill the server before that has stopped the PostgreSQL which it started.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';

const SETTLE_MS = 150; // an editor writes a file in several steps, a checkout many files

let server = null;
let restarting = false;
let stopping = false;
let settle = null;

start();
watch('lib', { recursive: true }, (_event, file) => {
  if (!file || !/\.tsx?$/.test(file) || /\.(test|bench)\.tsx?$/.test(file)) return;
  clearTimeout(settle);
  settle = setTimeout(restart, SETTLE_MS);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping = true;
    if (server) server.kill(signal);
    else process.exit(0);
  });
}

function start() {
  restarting = false;
  // A process group of its own: a terminal's Ctrl-C comes through us. A pipe for standard input: it closes when we are
  // killed, and the server ends as well.
  server = spawn(process.execPath, ['--import', 'tsx', 'lib/server/main.ts', '--dev'], {
    stdio: ['pipe', 'inherit', 'inherit'],
    detached: true,
    env: { ...process.env, OHM_PARENT_HOLDS_STDIN: '1' },
  });
  server.once('exit', (code) => {
    server = null;
    if (stopping) process.exit(code ?? 1);
    if (restarting) return start();
    console.log('ohm: ended; a change below lib starts it again');
  });
}

function restart() {
  if (stopping || restarting) return;
  if (!server) return start();
  console.log('ohm: a source has changed; starting again');
  restarting = true;
  server.kill('SIGTERM');
}
