import { parentPort } from 'node:worker_threads';
import { runPipeline, SAVER_BUDGET_MS } from './pipeline';
import { saversOf } from './registry';
import { type Encoding, loadCounter } from './tokenizer';
import type { WorkerReply, WorkerTask } from './worker-protocol';

/** A thread that rewrites or counts, apart from the one that serves. It is ended from outside when it takes too long. */
const port = parentPort!;
const counters = new Map<Encoding, Promise<(text: string) => number>>();

port.on('message', (task: WorkerTask) => {
  reply(task).then(
    (answer) => port.postMessage(answer),
    () => port.postMessage({ kind: 'failed' } satisfies WorkerReply), // whoever asked goes on without it
  );
});
port.postMessage({ kind: 'ready' } satisfies WorkerReply);

async function reply(task: WorkerTask): Promise<WorkerReply> {
  if (task.kind === 'rewrite') {
    return { kind: 'rewritten', result: runPipeline(task.slots, { savers: saversOf(task.savers), now: () => performance.now(), budgetMs: SAVER_BUDGET_MS }) };
  }
  const count = await counterOf(task.encoding);
  return { kind: 'counted', tokens: task.texts.map(count) };
}

function counterOf(encoding: Encoding): Promise<(text: string) => number> {
  let counter = counters.get(encoding);
  if (counter === undefined) counters.set(encoding, (counter = loadCounter(encoding)));
  return counter;
}
