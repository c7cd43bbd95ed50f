import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { WorkerReply, WorkerTask } from './worker-protocol';

export interface WorkerPoolOptions {
  /** Where the worker's script is; null: there are no workers, and every task fails. */
  script: { file: string; options: WorkerOptions } | null;
  /** Threads at the most; they are started when there is work for them. */
  size: number;
  /** What a task may take from being asked to being answered, ms, its time in the queue included. */
  boundMs: number;
  /** What a thread may take to start, ms: the first tasks wait for it. */
  startMs: number;
  /** Tasks that may wait. */
  maxWaiting: number;
}

/** `failed`: the thread died or said so, or there is none. */
export type TaskEnd = WorkerReply | 'timeout' | 'failed';

export interface WorkerPool {
  /** Never rejects. */
  run(task: WorkerTask): Promise<TaskEnd>;
  /** Starts the first thread, so that the first task does not wait for it. */
  warm(): void;
  close(): Promise<void>;
}

interface Job {
  task: WorkerTask;
  done: (end: TaskEnd) => void;
  timer: NodeJS.Timeout;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  job: Job | null;
}

/**
 * Threads for what would hold everybody up. A thread that overruns its task's time is ended and replaced: nothing else
 * stops a loop that does not end.
 */
export function createWorkerPool({ script, size, boundMs, startMs, maxWaiting }: WorkerPoolOptions): WorkerPool {
  const threads = new Set<Thread>();
  const waiting: Job[] = [];
  let closed = false;

  function run(task: WorkerTask): Promise<TaskEnd> {
    if (script === null || closed || waiting.length >= maxWaiting) return Promise.resolve('failed');
    return new Promise((resolve) => {
      const done = (end: TaskEnd): void => {
        clearTimeout(job.timer);
        resolve(end);
      };
      const job: Job = { task, done, timer: setTimeout(overdue, isStarting() ? startMs + boundMs : boundMs) };
      function overdue(): void {
        const thread = [...threads].find((each) => each.job === job);
        if (thread !== undefined) end(thread, 'timeout');
        else {
          waiting.splice(waiting.indexOf(job), 1);
          job.done('timeout');
        }
        next();
      }
      waiting.push(job);
      next();
    });
  }

  /** Is every thread still to come up? */
  const isStarting = (): boolean => ![...threads].some((thread) => thread.ready);

  function next(): void {
    while (waiting.length > 0) {
      const free = [...threads].find((thread) => thread.ready && thread.job === null);
      if (free === undefined) break;
      free.job = waiting.shift()!;
      free.worker.postMessage(free.job.task);
    }
    if (waiting.length > 0 && threads.size < size && ![...threads].some((thread) => !thread.ready)) start();
  }

  function start(): void {
    if (script === null || closed || threads.size >= size) return;
    let worker: Worker;
    try {
      worker = new Worker(script.file, script.options);
    } catch {
      return failAll(); // no thread can be had now; the next task tries again
    }
    const thread: Thread = { worker, ready: false, job: null };
    threads.add(thread);
    worker.unref(); // a process that has nothing else to do may end
    worker.on('message', (reply: WorkerReply) => {
      if (reply.kind === 'ready') thread.ready = true;
      else {
        const { job } = thread;
        thread.job = null;
        job?.done(reply.kind === 'failed' ? 'failed' : reply);
      }
      next();
    });
    worker.on('error', () => end(thread, 'failed'));
    worker.on('exit', () => end(thread, 'failed'));
  }

  /** Ends a thread, and its task with it. */
  function end(thread: Thread, how: 'timeout' | 'failed'): void {
    if (!threads.delete(thread)) return;
    const { job, ready } = thread;
    thread.job = null;
    void thread.worker.terminate();
    job?.done(how);
    if (!ready && how === 'failed') failAll(); // one that cannot start would be started for ever
  }

  function failAll(): void {
    for (const job of waiting.splice(0)) job.done('failed');
  }

  return {
    run,
    warm: () => void (threads.size === 0 && start()),
    async close() {
      closed = true;
      failAll();
      const all = [...threads];
      threads.clear();
      for (const { job } of all) job?.done('failed');
      await Promise.all(all.map(({ worker }) => worker.terminate()));
    },
  };
}
