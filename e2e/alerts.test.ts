import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailServer, webhookReceiver, type MailServer, type Received, type WebhookReceiver } from '../lib/alerts/test-receivers';
import { managementClient, openai, type RunningOhm, scriptedUpstream, type ScriptedUpstream, startOhm } from './harness';

/** The built product watches its own ledger: from a provider's misbehaviour to a signed message, and to the all-clear. */

let ohm: RunningOhm;
let hook: WebhookReceiver;
let mail: MailServer;
let refusing: ScriptedUpstream;
let cutting: ScriptedUpstream;
let sound: ScriptedUpstream;

beforeAll(async () => {
  [hook, mail] = await Promise.all([webhookReceiver(), mailServer()]);
  refusing = await scriptedUpstream(openai.error(429, 'slow down', { type: 'rate_limit_error', headers: { 'retry-after': '60' } }));
  cutting = await scriptedUpstream([openai.sseHead(), openai.role(), openai.text('half of an ans'), openai.errorFrame('slow down', { type: 'rate_limit_error', code: 'rate_limit_exceeded' }), 'end']);
  sound = await scriptedUpstream(openai.streamOf('all is well'));
  ohm = await startOhm({ env: { OHM_SMTP_URL: mail.url, OHM_MAIL_FROM: 'Ohm <ohm@example.com>' } });
});
afterAll(async () => {
  await ohm?.stop();
  await Promise.all([refusing, cutting, sound, hook, mail].map((each) => each?.close()));
});

interface Payload {
  type: string;
  data: { alert_id: string; kind: string; episode_id: string; value: number; latest_call: { id: string; flushed_bytes: number; upstream_status: number | null } | null };
}

test('a 429 before content and a cut after content ring two different alerts, signed and mailed, and later both are over', async () => {
  const { managementKey } = await ohm.bootstrap();
  const api = managementClient(ohm.url, managementKey);
  await api.connection('refusing', refusing.baseUrl);
  await api.connection('cutting', cutting.baseUrl);
  await api.connection('sound', sound.baseUrl);
  await api.route('rerouted', ['refusing/scripted', 'sound/scripted']);
  await api.route('cut', ['cutting/scripted', 'sound/scripted']);
  const key = await api.key('rerouted');
  const { id: webhook, secret } = await api.request<{ id: string; secret: string }>('POST', '/channels', { type: 'webhook', name: 'ops', url: hook.url });
  const { secret: none } = await api.request<{ secret: string | null }>('POST', '/channels', { type: 'email', name: 'mail', email: 'ops@example.com' });
  expect(none).toBeNull();
  const watch = (kind: string) => api.request<{ id: string }>('POST', '/alerts', { name: kind, kind, window_s: 10, channels: ['ops', 'mail'] });
  const [before, after] = [await watch('rate_limited.before_content'), await watch('rate_limited.after_content')];

  const stream = async (model: string) => {
    const answer = await fetch(`${ohm.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'a prompt that no alert repeats' }] }) });
    return { id: answer.headers.get('x-ohm-request-id')!, text: await answer.text() };
  };
  const rerouted = await stream('rerouted');
  expect(rerouted.text).toContain('all is well');
  const truncated = await stream('cut');
  expect(truncated.text).toContain('stream_truncated');

  const said = (received: Received) => new Webhook(secret).verify(received.body, received.headers as Record<string, string>) as Payload;
  const told = () => hook.received.map(said);
  await expect.poll(() => told().length, { timeout: 20_000 }).toBe(2);
  const [first, second] = ['rate_limited.before_content', 'rate_limited.after_content'].map((kind) => told().find(({ data }) => data.kind === kind)!);
  expect(first).toMatchObject({ type: 'alert.fired', data: { alert_id: before.id, value: 1, latest_call: { id: rerouted.id, flushed_bytes: 0, upstream_status: 429 } } });
  expect(second).toMatchObject({ type: 'alert.fired', data: { alert_id: after.id, value: 1, latest_call: { id: truncated.id } } });
  expect(second!.data.latest_call!.flushed_bytes).toBeGreaterThan(0);
  expect(second!.data.latest_call!.flushed_bytes).toBe((await api.call(truncated.id)).attempts.at(-1)!.bytes);

  await expect.poll(() => told().length, { timeout: 45_000, interval: 250 }).toBe(4);
  for (const fired of [first!, second!]) {
    expect(told().filter(({ data }) => data.episode_id === fired.data.episode_id).map(({ type }) => type)).toEqual(['alert.fired', 'alert.recovered']);
  }
  await expect.poll(() => mail.mails.length, { timeout: 10_000 }).toBe(4);
  expect(mail.mails.map(({ to }) => to)).toEqual(Array(4).fill(['ops@example.com']));
  for (const text of [...hook.received.map(({ body }) => body), ...mail.mails.map(({ data }) => data)]) expect(text).not.toContain('a prompt that no alert repeats');

  const events = await api.request<{ data: { type: string; deliveries: { state: string }[] }[] }>('GET', `/alerts/${after.id}/events`);
  expect(events.data.map(({ type, deliveries }) => [type, deliveries.map(({ state }) => state)])).toEqual([['recovered', ['delivered', 'delivered']], ['fired', ['delivered', 'delivered']]]);
  const log = await api.request<{ data: { channel: { id: string }; last_status: number }[] }>('GET', '/deliveries');
  expect(log.data.filter(({ channel }) => channel.id === webhook).map(({ last_status }) => last_status)).toEqual([204, 204, 204, 204]);
}, 120_000);
