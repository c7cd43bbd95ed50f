import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { changesOf, createSaverWorkers, runPipeline, SAVER_IDS, type SaverWorkers, SAVERS, saversOf } from '../../lib/savers';
import { sample, SAMPLE_KINDS, type SampleKind } from '../../lib/savers/samples';
import { chatCompletions, withTexts } from '../../lib/surfaces';
import { scanTopLevel, spliceStrings, type TextSlot } from '../../lib/wire';
import { percentile } from './load';

export interface SaversResult {
  /** Of UTF-8 text through every saver that takes it, MB/s on one core. */
  pipelineMbPerS: { saver: string; byKind: Record<string, number> }[];
  conversationMbPerS: number;
  /** A conversation of 100 KB: from its texts to the body that is sent, ms. */
  addedMs: { inPlace: { p50: number; p99: number }; inThread: { p50: number; p99: number } };
  /** Tokens of such a conversation, counted in a thread, ms. */
  countMs: { p50: number; p99: number };
  /**
   * The longest that the event loop was held while conversations of up to 2 MB and hostile ones were rewritten and
   * counted, ms: by its own work (the thread's time on a core within one turn; null where the system does not tell),
   * and by the clock, which also counts what other processes took meanwhile. `idle`: by the clock, without any work.
   */
  loopHeldMs: { own: { p99: number; max: number } | null; clock: { p99: number; max: number }; idle: number };
}

const TARGETS = { conversationMbPerS: 50, addedMs: 4, loopHeldMs: 10 };

/** What savers and counting cost, by the bundle that npm start runs. Prints figures and which target is missed; asserts nothing. */
export async function saversBench({ quick }: { quick: boolean }): Promise<SaversResult> {
  (process.env as Record<string, string>).NODE_ENV = 'production'; // the thread is the built one
  const workers = createSaverWorkers();
  workers.warm();
  const runs = quick ? 30 : 200;
  try {
    const conversation = requestOf(100_000);
    await counted(workers, conversation, 20);
    const result: SaversResult = {
      pipelineMbPerS: speeds(quick ? 10 : 50),
      conversationMbPerS: conversationSpeed(conversation, runs),
      addedMs: { inPlace: await added(conversation, runs, null), inThread: await added(conversation, runs, workers) },
      countMs: await counted(workers, conversation, runs),
      loopHeldMs: await loopHeld(workers, quick ? 3_000 : 10_000),
    };
    report(result);
    return result;
  } finally {
    await workers.close();
  }
}

const ROLE: Record<SampleKind, 'user' | 'assistant' | 'tool'> = { prose: 'user', code: 'assistant', json: 'tool', log: 'tool', terminal: 'tool', html: 'tool', stack: 'tool' };

/** A request with this much text: an agent's, of tool results and prose, none longer than 20,000 characters. */
function requestOf(characters: number): string {
  const each = Math.min(20_000, Math.ceil(characters / SAMPLE_KINDS.length));
  const messages = Array.from({ length: Math.ceil(characters / each) }, (_, at) => {
    const kind = SAMPLE_KINDS[at % SAMPLE_KINDS.length]!;
    return { role: ROLE[kind], content: sample(kind, each + at), ...(ROLE[kind] === 'tool' ? { tool_call_id: `call_${at}` } : {}) };
  });
  return JSON.stringify({ model: 'auto', stream: true, messages });
}

function speeds(runs: number): SaversResult['pipelineMbPerS'] {
  return SAVERS.map((saver) => {
    const byKind: Record<string, number> = {};
    for (const kind of SAMPLE_KINDS) {
      const text = sample(kind, 100_000);
      const slot: TextSlot = { message: 0, role: ROLE[kind], toolCallId: 'call', text, locked: false, path: [] };
      if (!saver.takes(slot)) continue;
      const once = () => saver.rewrite(text, slot, { sameResult: () => null });
      for (let warm = 0; warm < 10; warm++) once();
      byKind[kind] = perSecond(Buffer.byteLength(text), runs, once);
    }
    return { saver: saver.id, byKind };
  });
}

function conversationSpeed(json: string, runs: number): number {
  const slots = chatCompletions.slots(JSON.parse(json) as Record<string, unknown>);
  const bytes = slots.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const once = () => runPipeline(slots, { savers: SAVERS, now: () => performance.now(), budgetMs: 1_000 });
  for (let warm = 0; warm < 20; warm++) once();
  return perSecond(bytes, runs, once);
}

function perSecond(bytes: number, runs: number, once: () => unknown): number {
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run++) once();
  const { user, system } = process.cpuUsage(before); // not of the clock, of which a machine that has other work takes a part
  return Math.round((bytes * runs) / (user + system));
}

/** What a call waits for: its texts found, rewritten, and put into its body again. */
async function added(json: string, runs: number, workers: SaverWorkers | null): Promise<{ p50: number; p99: number }> {
  const parsed = JSON.parse(json) as Record<string, unknown>;
  const scan = scanTopLevel(json);
  const times: number[] = [];
  for (let run = 0; run < runs + 10; run++) {
    const from = performance.now();
    const slots = chatCompletions.slots(parsed);
    const result = workers === null ? runPipeline(slots, { savers: saversOf(SAVER_IDS), now: () => performance.now(), budgetMs: 1_000 }) : await workers.rewrite(slots, SAVER_IDS);
    spliceStrings(json, scan, changesOf(slots, result));
    withTexts(parsed, slots, result.texts);
    if (run >= 10) times.push(performance.now() - from);
  }
  return spread(times);
}

async function counted(workers: SaverWorkers, json: string, runs: number): Promise<{ p50: number; p99: number }> {
  const texts = chatCompletions.slots(JSON.parse(json) as Record<string, unknown>).map(({ text }) => text);
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const from = performance.now();
    await workers.count('o200k_base', texts);
    times.push(performance.now() - from);
  }
  return spread(times);
}

/** Everything at once, and then what was made to hold a thread: the loop of the process that serves must not notice. */
async function loopHeld(workers: SaverWorkers, ms: number): Promise<SaversResult['loopHeldMs']> {
  const requests = [2_000, 30_000, 100_000, 1_000_000, 1_900_000].map(requestOf).map((json) => ({ json, parsed: JSON.parse(json) as Record<string, unknown>, scan: scanTopLevel(json) }));
  const hostile = ['\x1b[', ' \n', '<a href=', 'at node_modules ', '中', 'a'].map((unit) => unit.repeat(1_000_000 / unit.length));
  const watch = async (work: () => Promise<void>) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const turns = watchTurns();
    await work();
    const own = turns.end();
    delay.disable();
    // What it reads is the time between two turns of its own timer, of which one millisecond is the timer's.
    return { own, clock: { p99: delay.percentile(99) / 1e6 - 1, max: delay.max / 1e6 - 1 } };
  };
  const idle = await watch(() => new Promise((resolve) => setTimeout(resolve, 1_000)));
  const busy = await watch(async () => {
    const until = performance.now() + ms;
    for (let turn = 0; performance.now() < until; turn++) {
      const { json, parsed, scan } = requests[turn % requests.length]!;
      const slots = chatCompletions.slots(parsed);
      const small = json.length <= 32 * 1024;
      const result = small ? runPipeline(slots, { savers: SAVERS, now: () => performance.now(), budgetMs: 50 }) : await workers.rewrite(slots, SAVER_IDS);
      spliceStrings(json, scan, changesOf(slots, result));
      void workers.count('o200k_base', slots.map(({ text }) => text));
      const text = hostile[turn % hostile.length]!;
      void workers.rewrite([{ message: 0, role: 'tool', toolCallId: 'c', text, locked: false, path: [] }], SAVER_IDS);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  return { ...busy, idle: idle.clock.max };
}

/** What this thread itself worked in each turn of its loop, whoever else had the cores in between. */
function watchTurns(): { end(): { p99: number; max: number } | null } {
  const path = `/proc/self/task/${process.pid}/schedstat`; // nanoseconds on a core come first
  const onCore = (): number | null => {
    try {
      return Number(readFileSync(path, 'latin1').split(' ')[0]) / 1e6;
    } catch {
      return null; // not Linux
    }
  };
  const held: number[] = [];
  let last = onCore();
  let ended = false;
  const turn = (): void => {
    const now = onCore();
    if (last !== null && now !== null) held.push(now - last);
    last = now;
    if (!ended) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end() {
      ended = true;
      return held.length === 0 ? null : { p99: percentile(held, 99), max: held.reduce((most, each) => Math.max(most, each), 0) };
    },
  };
}

const spread = (times: number[]): { p50: number; p99: number } => ({ p50: percentile(times, 50), p99: percentile(times, 99) });

function report(result: SaversResult): void {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  for (const { saver, byKind } of result.pipelineMbPerS) say(`${saver.padEnd(18)} ${Object.entries(byKind).map(([kind, speed]) => `${kind} ${speed}`).join(', ')} MB/s`);
  const met = (ok: boolean) => (ok ? 'met' : 'MISSED');
  say(`all savers over a conversation of 100 KB: ${result.conversationMbPerS} MB/s a core (${TARGETS.conversationMbPerS}: ${met(result.conversationMbPerS >= TARGETS.conversationMbPerS)})`);
  const { inPlace, inThread } = result.addedMs;
  say(`added to it: ${inThread.p50.toFixed(2)} ms in a thread, 99th percentile ${inThread.p99.toFixed(2)}; ${inPlace.p50.toFixed(2)} ms in place (at most ${TARGETS.addedMs}: ${met(inThread.p50 <= TARGETS.addedMs)})`);
  say(`its tokens counted, in a thread: ${result.countMs.p50.toFixed(2)} ms`);
  const { own, clock, idle } = result.loopHeldMs;
  const judged = own ?? clock;
  say(`the event loop was held for ${judged.max.toFixed(1)} ms at the most, 99th percentile ${judged.p99.toFixed(1)} (at most ${TARGETS.loopHeldMs}: ${met(judged.max <= TARGETS.loopHeldMs)})`);
  say(`by the clock, other processes included: ${clock.max.toFixed(1)} ms, 99th percentile ${clock.p99.toFixed(1)}; without any work ${idle.toFixed(1)}`);
}
