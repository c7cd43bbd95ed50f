import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { startPostgres } from '../../lib/launch';
import { managementClient, openai, type RunningOhm, type ScriptedUpstream, scriptedUpstream, startOhm } from '../harness';
import { chance } from './chance';

export interface StormOptions {
  /** How often the process is killed with SIGKILL. */
  kills: number;
  /** Clients that stream all the time. */
  clients: number;
  /** The same numbers give the same moments and answers. */
  seed: number;
  log?: (line: string) => void;
}

interface Seen {
  whole: string[];
  cut: string[];
  refused: Record<string, number>;
  requests: number;
}

export interface StormReport {
  kills: number;
  /** Answers whose `[DONE]` reached a client, and answers that were cut. */
  whole: number;
  cut: number;
  /** Requests that were refused, by status. */
  refused: Record<string, number>;
  /** Requests that reached the provider. */
  contacts: number;
  /** Ledger rows by state. */
  states: Record<string, number>;
  /** What was found wrong; empty when every promise held. */
  problems: string[];
}

/** More answers than this are never asked for, and it never goes on for longer than this for each kill. */
const MOST_REQUESTS = 100_000;
const MOST_MS_A_KILL = 15_000;

/**
 * Kills the product again and again while clients stream through it, on one data folder and one PostgreSQL, and then
 * counts: an answer that arrived whole has one row and it says so, every call that a client heard of has one row, no
 * call is open, no money is held, and every sum is the sum of the rows.
 */
export async function killStorm({ kills, clients, seed, log = () => {} }: StormOptions): Promise<StormReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ohm-storm-'));
  const random = chance(seed);
  const pg = await startPostgres({ dataDir: join(dataDir, 'database'), log: () => undefined });
  const provider = await scriptedUpstream(() => answer(random));
  let ohm = await startOhm({ dataDir, env: { DATABASE_URL: pg.url, OHM_SECRET: randomBytes(32).toString('base64') } });
  const seen: Seen = { whole: [], cut: [], refused: {}, requests: 0 };
  const stop = new AbortController();
  try {
    const { token, url } = await furnish(ohm, provider.baseUrl);
    const streaming = Promise.all(Array.from({ length: clients }, () => streamOn(url, token, seen, stop.signal)));
    const bound = AbortSignal.timeout(kills * MOST_MS_A_KILL);
    for (let kill = 1; kill <= kills; kill++) {
      await underWay(provider, Math.ceil(random() * 3 * clients), bound);
      await delay(random() * 60);
      await ohm.kill9();
      ohm = await ohm.restart();
      if (kill % 10 === 0) log(`${kill} kills, ${seen.whole.length} answers whole, ${seen.cut.length} cut`);
    }
    await underWay(provider, clients, bound);
    stop.abort();
    await streaming;
    // A start of its own adopts what the killed ones left; an end in order leaves nothing in the journal.
    await ohm.stop();
    ohm = await ohm.restart();
    await ohm.stop();
    return await judged(pg.url, dataDir, { kills, contacts: provider.contacts.length, ...seen });
  } finally {
    stop.abort();
    await ohm.stop();
    await provider.close();
    await pg.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** So many more requests have reached the provider: the kill comes in the middle of work, however slow the machine is. */
function underWay(provider: ScriptedUpstream, more: number, bound: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`the storm got stuck after ${provider.contacts.length} requests`));
    bound.addEventListener('abort', late, { once: true });
    void provider.contacted(provider.contacts.length + more).then(resolve).finally(() => bound.removeEventListener('abort', late));
  });
}

/** A workspace whose key has a budget, so that money is held and freed, and a price for the model. */
async function furnish(ohm: RunningOhm, baseUrl: string): Promise<{ token: string; url: string }> {
  const { managementKey } = await ohm.bootstrap('storm');
  const management = managementClient(ohm.url, managementKey);
  await management.connection('upstream', baseUrl);
  await management.request('PUT', '/prices', { connection: 'upstream', model: 'm', input_nano_usd_per_million_tokens: 1_000_000_000, output_nano_usd_per_million_tokens: 2_000_000_000 });
  await management.route('chat', ['upstream/m']);
  return { token: await management.key('chat', { limits: { monthly_cost_usd: 1_000 } }), url: ohm.url };
}

/** A lawful stream of one to twelve words, some of them slow. */
function answer(random: () => number) {
  const words = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, at) => `word${at} `);
  return [openai.sseHead(), openai.role(), ...words.flatMap((word) => [openai.text(word), { waitMs: random() < 0.3 ? random() * 40 : 0 }]), openai.finish(), openai.usage(9, words.length), openai.DONE];
}

async function streamOn(url: string, token: string, seen: Seen, stop: AbortSignal): Promise<void> {
  while (!stop.aborted && seen.requests < MOST_REQUESTS) {
    let id: string | null = null;
    let text = '';
    try {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'chat', stream: true, max_tokens: 20, messages: [{ role: 'user', content: 'hello' }] }),
      });
      seen.requests++;
      // A refusal from before anybody knows whose call it is has no row.
      if (response.status === 200) id = response.headers.get('x-ohm-request-id');
      else seen.refused[response.status] = (seen.refused[response.status] ?? 0) + 1;
      for await (const piece of response.body!) text += Buffer.from(piece).toString('latin1');
    } catch {
      await delay(20); // nobody listens just now, or the process was killed under the answer
    }
    if (id !== null) (text.endsWith('data: [DONE]\n\n') ? seen.whole : seen.cut).push(id);
  }
}

async function judged(url: string, dataDir: string, { kills, contacts, whole, cut, refused }: Seen & { kills: number; contacts: number }): Promise<StormReport> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const problems: string[] = [];
  try {
    const rows = await sql<{ id: string; state: string; cost: string | null }[]>`select c.id, c.state, c.cost_nano_usd as cost from calls c join workspaces w on w.id = c.workspace_id where not w.is_system`;
    const stateOf = new Map(rows.map(({ id, state }) => [id, state]));
    const states: Record<string, number> = {};
    for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;

    const unfinished = whole.filter((id) => stateOf.get(id) !== 'finished');
    if (unfinished.length > 0) problems.push(`${unfinished.length} answers arrived whole and are not booked as finished: ${unfinished.slice(0, 3).map((id) => `${id} ${stateOf.get(id) ?? 'no row'}`).join(', ')}`);
    const unheard = cut.filter((id) => !stateOf.has(id));
    if (unheard.length > 0) problems.push(`${unheard.length} calls that a client heard of have no row: ${unheard.slice(0, 3).join(', ')}`);
    if (contacts > rows.length) problems.push(`${contacts} requests reached the provider, and there are only ${rows.length} rows`);
    const [counts] = await sql<{ open: number; holds: number; spent: string; sum: string; rolled: string; calls: number; journals: number }[]>`
      select (select count(*)::int from open_calls) as open, (select count(*)::int from budget_holds) as holds,
        (select sum(spent_nano_usd) from budget_balances) as spent, (select sum(cost_nano_usd) from calls) as sum,
        (select sum(cost_nano_usd) from usage_rollups where tag = '') as rolled, (select sum(calls)::int from usage_rollups r join workspaces w on w.id = r.workspace_id where tag = '' and not w.is_system) as calls`;
    if (counts!.open > 0) problems.push(`${counts!.open} calls are still open`);
    if (counts!.holds > 0) problems.push(`money is still held for ${counts!.holds} calls`);
    if (counts!.spent !== counts!.sum) problems.push(`the balance says ${counts!.spent}, the rows ${counts!.sum}`);
    if (counts!.rolled !== counts!.sum || counts!.calls !== rows.length) problems.push(`the hourly sums say ${counts!.rolled} in ${counts!.calls} calls, the rows ${counts!.sum} in ${rows.length}`);
    const left = readdirSync(join(dataDir, 'journal'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith('.log'));
    if (left.length > 0) problems.push(`${left.length} files of the journal were left behind`);
    return { kills, whole: whole.length, cut: cut.length, refused, contacts, states, problems };
  } finally {
    await sql.end();
  }
}
