import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import type { Database } from '../db';
import type { CallRow } from '../metering/call-row';
import type { Contact } from '../providers/sandbox';
import { Refusal, systemClock, type Clock } from '../std';
import { buildDocument, honestySchema, type HonestyDocument } from './document';
import { readiness, type Dependency, type Readiness } from './readiness';
import { PROBES, type Probe } from './probes';
import { publicStatusOf, type PublicStatus } from './public-status';
import { CLAIMS, type Claim } from './registry';
import { runProbes } from './run-probes';
import type { Measurement, ProbeResult } from './status';
import { issueProbeKey, latestResults, prepareSystemWorkspace, recentResults, revokeProbeKey, saveResults, SYSTEM_WORKSPACE } from './store';

export interface ClaimsOptions {
  db: Database;
  /** Contacts of one workspace with this process's sandbox. */
  sandbox: { contacts(workspaceId: string): Contact[] };
  /** Origin of this process's own data plane, e.g. `http://127.0.0.1:3000`. Asked when the first probe runs. */
  door: () => string;
  /** The ledger row of a call, through the journal; null while there is none. */
  callRow: (workspaceId: string, callId: string) => Promise<CallRow | null>;
  journal: 'folder' | 'database';
  publicUrl: string;
  build: { version: string; commit: string | null };
  production: boolean;
  /** What the process leans on, by name. `database` and `journal` among them decide whether probes can see anything. */
  dependencies: readonly Dependency[];
  draining: () => boolean;
  /** Figures from the ledger for the public document; null while there are none. */
  figures?: () => Promise<{ source: 'probes' | 'workspaces'; values: Record<string, number | string | null> } | null>;
  /** Measured anew with the figures; what cannot be read now stays what it was. */
  measurements?: () => Promise<Partial<Record<'savings', Measurement>>>;
  /** Feature flags that the document rests on, shown by /ready outside production. */
  features: Record<string, boolean>;
  clock?: Clock;
  /** Usual time between two runs, ms. */
  intervalMs?: number;
  /** Shortest time between the starts of two runs, ms: longer than any cool-down, so that failing tiers are asked again. */
  minGapMs?: number;
  staleAfterMs?: number;
  probes?: readonly Probe[];
  claims?: readonly Claim[];
  log?: { warn(fields: object, message: string): void };
}

export interface Claims {
  /** Begins to probe: as soon as the door is open, then at intervals. Returns at once. */
  start(): void;
  stop(): Promise<void>;
  /** Runs all probes now and resolves when they are done; joins a run in flight. Refuses `rate_limited` when the last one was a moment ago. */
  runNow(): Promise<HonestyDocument>;
  document(): Promise<HonestyDocument>;
  /** JSON Schema 2020-12 of the document. */
  schema(): object;
  /** Each dependency by name, and whether calls should be sent here. */
  status(): Promise<Readiness>;
  /** The same for everybody, with the claims that fail or are stale. */
  publicStatus(): Promise<PublicStatus>;
  /** The newest results of all probes, newest first; empty while the database is away. */
  history(limit: number): Promise<ProbeResult[]>;
}

const MINUTE_MS = 60_000;
const KEY_LIFE_MS = 24 * 60 * MINUTE_MS;

export function createClaims(options: ClaimsOptions): Claims {
  const { db, clock = systemClock, intervalMs = 3 * MINUTE_MS, minGapMs = 31_000, staleAfterMs = 15 * MINUTE_MS, probes = PROBES, claims = CLAIMS } = options;
  const processId = randomBytes(6).toString('hex');
  const how = new Map(probes.map((probe) => [probe.id, probe.how]));
  const results = new Map<string, ProbeResult>();
  let blind: string | null = 'The first run of the probes has not ended yet.';
  let lastRunAtMs: number | null = null;
  let lastBegunMs = -Infinity;
  let figures: HonestyDocument['figures'] = { source: 'probes', values: {}, reason: 'They have not been computed yet.' };
  let measurements: Partial<Record<'savings', Measurement>> = {};
  let running: Promise<void> | null = null;
  let key: { id: string; token: string; untilMs: number } | null = null;
  let prepared = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  return { start, stop, runNow, document, schema: () => honestySchema(options.publicUrl), status, publicStatus, history };

  function start(): void {
    void begin();
  }

  async function begin(): Promise<void> {
    await recall();
    while (!stopped && !(await doorIsOpen(options.door()))) await pause(250);
    await run();
    schedule();
  }

  /** What an earlier process found, until this one has looked for itself. */
  async function recall(): Promise<void> {
    try {
      for (const result of await latestResults(db)) if (how.has(result.probe) && !results.has(result.probe)) results.set(result.probe, result);
    } catch {
      // The database is away: nothing is known of earlier runs, and the run below says so.
    }
  }

  function schedule(): void {
    if (stopped) return;
    // A failed or missing verdict is looked at again soon; otherwise at the usual pace, spread by a fifth.
    const unsettled = blind !== null || probes.some((probe) => results.get(probe.id)?.passed !== true);
    const wait = unsettled ? Math.min(minGapMs, intervalMs) : intervalMs;
    timer = setTimeout(() => void run().then(schedule), wait * (0.8 + 0.4 * Math.random()));
    timer.unref();
  }

  function run(): Promise<void> {
    if (stopped) return Promise.resolve();
    running ??= runOnce().finally(() => (running = null));
    return running;
  }

  async function runOnce(): Promise<void> {
    lastBegunMs = clock.monotonic();
    blind = await whyBlind();
    if (blind !== null) return;
    try {
      await prepare();
    } catch (error) {
      options.log?.warn({ err: error }, 'The probes could not be prepared');
      blind = 'The routes of the probes could not be made: the database does not answer.';
      return;
    }
    const found = await runProbes({
      probes,
      door: { origin: options.door(), token: key!.token },
      clock,
      processId,
      contacts: () => options.sandbox.contacts(SYSTEM_WORKSPACE),
      callRow: (id) => options.callRow(SYSTEM_WORKSPACE, id),
      issueKey: (keepsAnswers) => issueProbeKey(db, 'key of a probe', MINUTE_MS, keepsAnswers),
      revokeKey: (id) => revokeProbeKey(db, id),
      blind: whyBlind,
      onError: (probe, error) => options.log?.warn({ err: error, probe }, 'A probe broke'),
    });
    for (const result of found.results) results.set(result.probe, result);
    lastRunAtMs = clock.now();
    blind = found.results.length === 0 ? (found.inconclusive[0]?.reason ?? null) : await whyBlind();
    await Promise.allSettled([saveResults(db, found.results), computeFigures(), measure()]);
  }

  async function whyBlind(): Promise<string | null> {
    if (options.draining()) return 'This process is shutting down.';
    const { dependencies } = await readiness(options.dependencies, options.draining());
    const away = dependencies.find((dependency) => (dependency.name === 'database' || dependency.name === 'journal') && !dependency.ok);
    return away === undefined ? null : `The ${away.name} does not answer, so nothing can be checked.`;
  }

  async function prepare(): Promise<void> {
    if (!prepared) await prepareSystemWorkspace(db, probes);
    prepared = true;
    if (key !== null && key.untilMs > clock.now() + 5 * MINUTE_MS) return;
    key = { ...(await issueProbeKey(db, 'probe', KEY_LIFE_MS)), untilMs: clock.now() + KEY_LIFE_MS };
  }

  async function computeFigures(): Promise<void> {
    try {
      const found = (await options.figures?.()) ?? null;
      figures = found === null ? { source: 'probes', values: {}, reason: 'The ledger has no figures yet.' } : { ...found, reason: null };
    } catch {
      figures = { ...figures, reason: 'The ledger could not be read; these are the last known figures.' };
    }
  }

  async function measure(): Promise<void> {
    measurements = (await options.measurements?.()) ?? {};
  }

  async function runNow(): Promise<HonestyDocument> {
    if (running === null) {
      const waitMs = lastBegunMs + minGapMs - clock.monotonic();
      if (waitMs > 0) throw new Refusal('rate_limited', 'The probes ran a moment ago: tiers that failed then are still benched.', [], Math.ceil(waitMs / 1000));
    }
    await run();
    return document();
  }

  async function document(): Promise<HonestyDocument> {
    // Learnt between two runs: a database that went away makes what is shown old news at once.
    const now = blind ?? (await whyBlind());
    const known = { results, measurements, blind: now, nowMs: clock.now(), staleAfterMs };
    return buildDocument({ publicUrl: options.publicUrl, build: options.build, process: processId, journal: options.journal, claims, how, known, intervalMs, lastRunAtMs, figures });
  }

  async function status(): Promise<Readiness> {
    const report = await readiness(options.dependencies, options.draining());
    return options.production ? report : { ...report, features: options.features };
  }

  async function publicStatus(): Promise<PublicStatus> {
    return publicStatusOf(await readiness(options.dependencies, options.draining()), await document());
  }

  async function history(limit: number): Promise<ProbeResult[]> {
    try {
      return await recentResults(db, limit);
    } catch {
      return [...results.values()]; // the database is away: what this process remembers
    }
  }

  async function stop(): Promise<void> {
    stopped = true;
    clearTimeout(timer);
    await running?.catch(() => undefined);
    // Best effort: the key ends by itself.
    if (key !== null) await revokeProbeKey(db, key.id).catch(() => undefined);
  }
}

/** Does something listen there? */
function doorIsOpen(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
    const done = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
