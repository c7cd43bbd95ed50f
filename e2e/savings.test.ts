import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sample } from '../lib/savers/samples';
import { type Contact, type Door, type ManagementClient, managementClient, openai, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm } from './harness';

/** Savers in the built product: rewritten, counted, compared with a hold-out, undone where a provider refuses. */

/** A provider that counts otherwise than we do: characters, so many to a token, and something for every message. */
const bill = (contents: readonly string[]): number => contents.reduce((sum, content) => sum + Math.ceil(content.length * 0.37) + 7, 11);

const contentsOf = ({ body }: Pick<Contact, 'body'>): string[] => (JSON.parse(body) as { messages: { content: string }[] }).messages.map(({ content }) => content);

const billed = (contact: Contact) => {
  const prompt = bill(contentsOf(contact));
  return openai.json(200, { ...openai.completion('ok'), usage: { prompt_tokens: prompt, completion_tokens: 2, total_tokens: prompt + 2, prompt_tokens_details: { cached_tokens: Math.floor(prompt / 4) } } });
};

interface Savings {
  data: { key: { name: string }; provider: string; model: string; calibration: { calls: number; billed_per_counted: number }; tokenizers: object[]; quality: Record<string, { calls: number; finish_reasons: object }> }[];
  total: {
    calls: number;
    measured_calls: number;
    tokens_saved: number;
    savers: { saver: string; tokens_saved: number; calls: number }[];
    comparison: {
      status: string;
      treated: { calls: number; billed_prompt_tokens: number; cached_tokens: number };
      holdout: { calls: number };
      tokens: { saved: number; interval: { low: number; high: number }; baseline: number };
      money: { saved: number; baseline: number };
    };
  };
}

let upstream: ScriptedUpstream;
beforeAll(async () => {
  upstream = await scriptedUpstream(billed);
});
afterAll(() => upstream.close());

async function ask(ohm: RunningOhm, key: string, messages: object[], headers: Record<string, string> = {}): Promise<{ status: number; id: string }> {
  const response = await fetch(`${ohm.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'auto', messages }),
  });
  await response.text();
  return { status: response.status, id: response.headers.get('x-ohm-request-id')! };
}

async function furnished(ohm: RunningOhm): Promise<ManagementClient> {
  const { managementKey } = await ohm.bootstrap();
  const api = managementClient(ohm.url, managementKey);
  await api.connection('up', upstream.baseUrl);
  await api.route('chat', ['up/gpt-4o-mini']);
  return api;
}

const tool = (content: string) => [{ role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }] }, { role: 'tool', tool_call_id: 'c1', content }];

describe('at the node server’s door', () => {
  let ohm: RunningOhm;
  let api: ManagementClient;
  beforeAll(async () => {
    ohm = await startOhm();
    api = await furnished(ohm);
  });
  afterAll(() => ohm.stop());

  test('a key with a hold-out shows what its savers saved, by the bill of a provider that counts otherwise', async () => {
    await api.request('PUT', '/prices', { connection: 'up', model: 'gpt-4o-mini', input_nano_usd_per_million_tokens: 1_000_000_000, output_nano_usd_per_million_tokens: 2_000_000_000, cached_input_nano_usd_per_million_tokens: 100_000_000 });
    const key = await api.key('chat', { name: 'compared', savers: ['json-compact', 'blank-lines'], holdout: { percent: 50 } });
    // Two turns each, the second with all of the first: as agents do.
    const conversations = Array.from({ length: 260 }, (_, at) => {
      const opening = [{ role: 'user', content: `question ${at} \n\n\n\nand more` }, ...tool(sample('json', 400 + ((at * 7_919) % 3_000)))];
      return [opening, [...opening, { role: 'assistant', content: 'hm' }, { role: 'user', content: sample('prose', 200 + ((at * 104_729) % 900)) }]];
    });
    const calls = conversations.flat();
    let next = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let at = next++; at < calls.length; at = next++) expect((await ask(ohm, key, calls[at]!)).status).toBe(200);
      }),
    );
    const read = () => api.request<Savings>('GET', '/savings?key=compared');
    await expect.poll(async () => (await read()).total.measured_calls, { timeout: 20_000 }).toBe(calls.length);
    const { data, total } = await read();
    const { comparison } = total;
    expect(comparison).toMatchObject({ status: 'measured', treated: { calls: expect.any(Number) } });
    expect(Math.min(comparison.treated.calls, comparison.holdout.calls)).toBeGreaterThanOrEqual(200);

    // What the treated calls would have been billed, had they been sent as they came: known here, and nowhere in the product.
    const raw = new Map(calls.map((messages) => [first(messages) + messages.length, bill(messages.map(({ content }) => content as string))]));
    const sent = upstream.contacts.map((contact) => ({ contents: contentsOf(contact), messages: contentsOf(contact).length }));
    const treated = sent.filter(({ contents }) => !contents[0]!.includes('\n\n\n'));
    const truth = treated.reduce((sum, { contents, messages }) => sum + raw.get(contents[0]!.replace('\n\n', ' \n\n\n\n') + messages)! - bill(contents), 0);
    expect(treated).toHaveLength(comparison.treated.calls);
    expect(comparison.treated.billed_prompt_tokens).toBe(treated.reduce((sum, { contents }) => sum + bill(contents), 0));
    const { saved, interval } = comparison.tokens;
    expect(truth).toBeGreaterThan(0);
    expect(Math.abs(saved - truth)).toBeLessThan(1.6 * (interval.high - interval.low)); // three half-widths and a bit: chance is to pass
    // A quarter of every prompt at a tenth of the price.
    expect(comparison.money.saved / comparison.tokens.saved).toBeCloseTo(0.75 * 1_000 + 0.25 * 100, -1);

    expect(data).toMatchObject([{ key: { name: 'compared' }, provider: 'custom', model: 'gpt-4o-mini', tokenizers: [{ encoding: 'o200k_base', exact: true }], calibration: { calls: calls.length } }]);
    expect(data[0]!.quality).toMatchObject({ treated: { finish_reasons: { stop: comparison.treated.calls } }, holdout: { calls: comparison.holdout.calls } });
    expect(total.savers.map(({ saver }) => saver)).toEqual(['json-compact', 'blank-lines']);
    expect(total.savers.reduce((sum, { tokens_saved: own }) => sum + own, 0)).toBe(total.tokens_saved);
  });

  test('a saver that makes the provider answer 400 is undone, and the call is answered', async () => {
    upstream.play((contact) => (contentsOf(contact).some((content) => /^\{"/.test(content)) ? openai.error(400, 'JSON must be pretty here') : billed(contact)));
    try {
      const key = await api.key('chat', { savers: ['json-compact'], holdout: { percent: 0 } });
      const { status, id } = await ask(ohm, key, [{ role: 'user', content: 'hi' }, ...tool('{\n  "a": 1\n}')]);
      expect(status).toBe(200);
      await expect.poll(async () => (await api.call(id)).tokens_before).not.toBeNull();
      const call = await api.call(id);
      expect(call).toMatchObject({ state: 'finished', arm: 'treated', tokenizer: { encoding: 'o200k_base', exact: true }, savers: [{ saver: 'json-compact', texts: 0, undone: 'provider_refused' }] });
      expect(call.attempts.map((attempt) => attempt.upstream_status)).toEqual([400, 200]);
      expect(call.tokens_after).toBe(call.tokens_before);
    } finally {
      upstream.play(billed);
    }
  });

  test('over the sandbox a key is rewritten for, counted and kept apart alike', async () => {
    await api.route('sand', ['sandbox/text:3']);
    const key = await api.key('sand', { name: 'sand', savers: ['blank-lines'], holdout: { percent: 0 } });
    const { id } = await ask(ohm, key, [{ role: 'user', content: 'a \n\n\n\nb' }]);
    await expect.poll(async () => (await api.call(id)).tokens_before).not.toBeNull();
    expect(await api.call(id)).toMatchObject({ arm: 'treated', savers: [{ saver: 'blank-lines', texts: 1, undone: null }], prompt_cost_nano_usd: 0 });
    const { total } = await api.request<Savings>('GET', '/savings?key=sand');
    expect(total).toMatchObject({ calls: 1, comparison: { status: 'not_measured', tokens: null } });
    const honesty = (await (await fetch(`${ohm.url}/v1/public/honesty`)).json()) as { claims: { id: string; status: string }[] };
    expect(honesty.claims.find(({ id: each }) => each === 'savings')!.status).toMatch(/^(not_measured|estimate_only|measured)$/);
    expect(((await (await fetch(`${ohm.url}/ready`)).json()) as { features?: { savers: boolean } }).features?.savers ?? true).toBe(true);
  });

  const first = (messages: object[]): string => (messages[0] as { content: string }).content;
});

describe.each<Door>(['node', 'next', 'next-start'])('at the door %s', (door) => {
  test('a long conversation is rewritten in a thread, and counted in one', async () => {
    const ohm = await startOhm({ door });
    try {
      const api = await furnished(ohm);
      const key = await api.key('chat', { savers: ['json-compact'], holdout: { percent: 0 } });
      const long = sample('json', 120_000);
      // The first one waits for the thread to start; on a machine that does much else it may be left as it came.
      for (let each = 0; ; each++) {
        const { id } = await ask(ohm, key, [{ role: 'user', content: `hi ${each}` }, ...tool(long)]);
        await expect.poll(async () => (await api.call(id)).tokens_before, { timeout: 15_000 }).not.toBeNull();
        const call = await api.call(id);
        const [receipt] = call.savers as { undone: string | null; texts: number }[];
        if (receipt!.undone === 'timeout' && each < 10) continue;
        expect(receipt).toMatchObject({ undone: null, texts: 1 });
        expect(call.tokens_after).toBeLessThan(call.tokens_before as number);
        break;
      }
    } finally {
      await ohm.stop();
    }
  });
});
