import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { runPipeline, SAVER_BUDGET_MS } from './pipeline';
import { saversOf } from './registry';
import { type Encoding, loadCounter } from './tokenizer';
import { BACKGROUND, packed, type WorkerReply, type WorkerTask } from './worker-protocol';

/** A thread that rewrites or counts, apart from the one that serves. It is ended from outside when it takes too long. */
const port = parentPort!;
if (workerData === BACKGROUND && process.platform === 'linux') giveWay();
const counters = new Map<Encoding, Promise<(text: string) => number>>();

port.on('message', (task: WorkerTask) => {
  reply(task).then(
    (answer) => port.postMessage(answer),
    () => port.postMessage({ kind: 'failed' } satisfies WorkerReply), // whoever asked goes on without it
  );
});
port.postMessage({ kind: 'ready' } satisfies WorkerReply);

/** Nobody waits for a count: the thread that serves comes first. On Linux this is of the thread, elsewhere it would be of the process. */
function giveWay(): void {
  try {
    setPriority(0, 10);
  } catch {
    // not allowed here: then it does without
  }
}

async function reply(task: WorkerTask): Promise<WorkerReply> {
  if (task.kind === 'rewrite') {
    return { kind: 'rewritten', result: packed(runPipeline(task.slots, { savers: saversOf(task.savers), now: () => performance.now(), budgetMs: SAVER_BUDGET_MS })) };
  }
  const count = await counterOf(task.encoding);
  return { kind: 'counted', tokens: task.texts.map(count) };
}

function counterOf(encoding: Encoding): Promise<(text: string) => number> {
  let counter = counters.get(encoding);
  if (counter === undefined) counters.set(encoding, (counter = loadCounter(encoding)));
  return counter;
}
