import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { alertCreate, type AlertView, type DeliveryView, type IssuedChannel } from '../management/schemas';
import { createChannel, deleteChannel, listChannels, rotateChannel, updateChannel } from './channel-verbs';
import { deliverNext } from './deliver';
import { listDeliveries, resendDelivery } from './delivery-verbs';
import { createAlert, testAlert, updateAlert } from './rule-verbs';
import { createMailer } from './send-mail';
import { createTestAlerts, cut, type TestAlerts } from './test-alerts';
import { mailServer, webhookReceiver } from './test-receivers';

let t: TestAlerts;
const cleanups: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  t = await createTestAlerts();
});
beforeEach(async () => {
  await t.owner`delete from alert_rules`;
  await t.owner`delete from alert_deliveries`;
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

let serial = 0;
const receiver = async () => {
  const made = await webhookReceiver();
  cleanups.push(made.close);
  return made;
};
const hook = (url: string): Promise<IssuedChannel> => createChannel(t.tenancy, t.actor, { type: 'webhook', name: `hook ${++serial}`, url });
const alertFor = (...channels: IssuedChannel[]): Promise<AlertView> => createAlert(t.services, t.actor, alertCreate.parse({ name: `alert ${++serial}`, kind: 'rate_limited.after_content', window_s: 60, channels: channels.map(({ id }) => id) }));
const log = async (): Promise<DeliveryView[]> => (await listDeliveries(t.tenancy, t.actor, { limit: 100 })).data;
const channelNow = async (id: string) => (await listChannels(t.tenancy, t.actor)).find((each) => each.id === id)!;
/** As if its last try had been long ago. */
const later = () => t.owner`update alert_deliveries set last_try_at = last_try_at - interval '1 hour'`;

describe('a webhook', () => {
  test('gets what fired, signed so that another implementation accepts it', async () => {
    const to = await receiver();
    const channel = await hook(to.url);
    const alert = await alertFor(channel);
    const call = await t.call(1, cut('rate_limited'));
    await t.look(2);
    await t.deliver();
    expect(to.received).toHaveLength(1);
    const { body, headers, method, path } = to.received[0]!;
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hook', 'application/json']);
    const said = new Webhook(channel.secret!).verify(body, headers as Record<string, string>);
    expect(said).toMatchObject({ type: 'alert.fired', data: { alert_id: alert.id, kind: 'rate_limited.after_content', value: 1, latest_call: { id: call.id, flushed_bytes: 5_312 } } });
    const [delivery] = await log();
    expect(delivery).toMatchObject({ id: headers['webhook-id'], state: 'delivered', tries: 1, last_status: 204, alert_id: alert.id, next_try_at: null });
    expect((await channelNow(channel.id)) as object).not.toHaveProperty('secret');
  });

  test('that refuses gets the same message with the same id again, later and later, then no more, and is disabled', async () => {
    const to = await receiver();
    to.answer = { status: 500, body: 'x'.repeat(5_000) };
    const channel = await hook(to.url);
    await testAlert(t.services, t.actor, (await alertFor(channel)).id);
    const pauses: number[] = [];
    for (let tries = 1; tries <= 9; tries++) {
      await t.owner`update alert_deliveries set next_try_at = now() - interval '1 second' where state = 'queued'`;
      await deliverNext(t.options());
      const [delivery] = await log();
      expect([delivery!.tries, delivery!.state, delivery!.last_status, delivery!.last_response!.length]).toEqual([tries, tries < 9 ? 'queued' : 'failed', 500, 1_024]);
      if (delivery!.next_try_at !== null) pauses.push(Date.parse(delivery!.next_try_at) - Date.parse(delivery!.last_try_at!));
    }
    expect(pauses).toEqual([5, 60, 300, 1_800, 7_200, 18_000, 36_000, 36_000].map((s) => s * 1000));
    expect(await deliverNext(t.options())).toBe(false);
    expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(to.received).toHaveLength(9);
    expect(await channelNow(channel.id)).toMatchObject({ enabled: false, disabled_why: 'failing' });
  });

  test('is not disabled for one message that failed when others got through', async () => {
    const to = await receiver();
    const channel = await hook(to.url);
    const alert = await alertFor(channel);
    to.answer = { status: 500 };
    await testAlert(t.services, t.actor, alert.id);
    await t.deliver();
    await t.owner`update alert_deliveries set tries = 8`;
    to.answer = { status: 200 };
    await t.owner`update alert_deliveries set next_try_at = now() + interval '1 hour'`;
    await testAlert(t.services, t.actor, alert.id);
    await deliverNext(t.options());
    to.answer = { status: 500 };
    await t.deliver();
    expect((await log()).map(({ state }) => state).sort()).toEqual(['delivered', 'failed']);
    expect((await channelNow(channel.id)).enabled).toBe(true);
  });

  test('that says 410 is disabled at once and asked no more, until somebody enables it', async () => {
    const to = await receiver();
    to.answer = { status: 410 };
    const channel = await hook(to.url);
    const alert = await alertFor(channel);
    await testAlert(t.services, t.actor, alert.id);
    await testAlert(t.services, t.actor, alert.id);
    await t.deliver();
    expect(to.received).toHaveLength(1);
    expect((await log()).map(({ state }) => state).sort()).toEqual(['dropped', 'failed']);
    const disabled = await channelNow(channel.id);
    expect(disabled).toMatchObject({ enabled: false, disabled_why: 'gone' });
    await later();
    const [delivery] = await log();
    await expect(resendDelivery(t.tenancy, t.actor, delivery!.id)).rejects.toMatchObject({ code: 'conflict' });
    to.answer = { status: 200 };
    await updateChannel(t.tenancy, t.actor, { id: channel.id, revision: disabled.revision, change: { enabled: true } });
    await resendDelivery(t.tenancy, t.actor, delivery!.id);
    await t.deliver();
    expect(to.received.at(-1)!.headers['webhook-id']).toBe(delivery!.id);
    expect((await log()).find(({ id }) => id === delivery!.id)).toMatchObject({ state: 'delivered', tries: 1 });
  });

  test('is not followed to another address', async () => {
    const [to, trap] = [await receiver(), await receiver()];
    to.answer = { status: 302, headers: { location: trap.url } };
    await testAlert(t.services, t.actor, (await alertFor(await hook(to.url))).id);
    await t.deliver();
    expect(trap.received).toEqual([]);
    expect((await log())[0]).toMatchObject({ state: 'queued', last_status: 302, last_error: 'a redirect (302), which is not followed' });
  });

  test('whose address is not allowed is not contacted: the guard judges again when it is sent', async () => {
    const to = await receiver();
    const channel = await hook(to.url);
    await t.owner`update alert_channels set target = 'http://10.0.0.1/hook' where id = ${channel.id}`;
    await testAlert(t.services, t.actor, (await alertFor(channel)).id);
    await t.deliver();
    expect((await log())[0]!.last_error).toMatch(/^the address is not allowed/);
    await expect(hook('http://10.0.0.1/hook')).rejects.toMatchObject({ code: 'invalid', issues: [{ field: 'url', message: expect.any(String) }] });
  });

  test('that cuts the connection, or is not there, is tried again', async () => {
    const to = await receiver();
    to.answer = 'reset';
    await testAlert(t.services, t.actor, (await alertFor(await hook(to.url))).id);
    await t.deliver();
    expect((await log())[0]).toMatchObject({ state: 'queued', tries: 1, last_status: null, last_error: 'the connection ended before an answer came' });
    await to.close();
    cleanups.length = 0;
    await t.deliver();
    expect((await log())[0]).toMatchObject({ state: 'queued', tries: 2, last_error: 'the connection was refused' });
  });

  test('that asks for patience gets it', async () => {
    const to = await receiver();
    to.answer = { status: 429, headers: { 'retry-after': '600' } };
    await testAlert(t.services, t.actor, (await alertFor(await hook(to.url))).id);
    await t.deliver();
    const [delivery] = await log();
    expect(Date.parse(delivery!.next_try_at!) - Date.parse(delivery!.last_try_at!)).toBe(600_000);
  });

  test('has two signatures while an old secret overlaps, and one afterwards', async () => {
    const to = await receiver();
    const channel = await hook(to.url);
    const alert = await alertFor(channel);
    const rotated = await rotateChannel(t.tenancy, t.actor, { id: channel.id, overlap_s: 60 });
    await testAlert(t.services, t.actor, alert.id);
    await t.deliver();
    const verify = (secret: string) => new Webhook(secret).verify(to.received.at(-1)!.body, to.received.at(-1)!.headers as Record<string, string>);
    expect([verify(channel.secret!), verify(rotated.secret!)]).toEqual([expect.anything(), expect.anything()]);
    await rotateChannel(t.tenancy, t.actor, { id: channel.id, overlap_s: 0 });
    await testAlert(t.services, t.actor, alert.id);
    await t.deliver();
    expect(() => verify(channel.secret!)).toThrow();
    expect(() => verify(rotated.secret!)).toThrow();
  });

  test('that hangs holds up nobody else, and of its own messages one at a time', async () => {
    const [hanging, other] = [await receiver(), await receiver()];
    hanging.answer = 'hang';
    const stuck = await alertFor(await hook(hanging.url));
    await testAlert(t.services, t.actor, stuck.id);
    await testAlert(t.services, t.actor, stuck.id);
    const free = await alertFor(await hook(other.url));
    await testAlert(t.services, t.actor, free.id);
    const first = deliverNext(t.options());
    await expect.poll(() => hanging.received.length).toBe(1);
    while (other.received.length === 0) expect(await deliverNext(t.options())).toBe(true);
    expect(await deliverNext(t.options())).toBe(false);
    expect(hanging.received).toHaveLength(1);
    await hanging.close();
    cleanups.splice(0, 1);
    expect(await first).toBe(true);
  });
});

describe('a message', () => {
  test('that several processes reach for is sent by one', async () => {
    const to = await receiver();
    const alert = await alertFor(await hook(to.url), await hook(to.url), await hook(to.url));
    await testAlert(t.services, t.actor, alert.id);
    await Promise.all(Array.from({ length: 12 }, () => deliverNext(t.options())));
    expect(to.received).toHaveLength(3);
    expect(new Set(to.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
  });

  test('whose secret cannot be opened is not sent unsigned', async () => {
    const to = await receiver();
    const [one, other] = [await hook(to.url), await hook(to.url)];
    await t.owner`update alert_channels set secret_sealed = (select secret_sealed from alert_channels where id = ${other.id}) where id = ${one.id}`;
    await testAlert(t.services, t.actor, (await alertFor(one)).id);
    await t.deliver();
    expect([to.received, (await log())[0]]).toEqual([[], expect.objectContaining({ state: 'failed', last_error: expect.stringContaining('rotate it') })]);
  });

  test('whose sender died is taken up by another', async () => {
    const to = await receiver();
    await testAlert(t.services, t.actor, (await alertFor(await hook(to.url))).id);
    await t.owner`update alert_deliveries set leased_until = now() + interval '1 minute'`;
    expect(await deliverNext(t.options())).toBe(false);
    await t.owner`update alert_deliveries set leased_until = now() - interval '1 second'`;
    expect(await deliverNext(t.options())).toBe(true);
    expect(to.received).toHaveLength(1);
  });

  test('outlives its alert; its channel must be let go first', async () => {
    const to = await receiver();
    const channel = await hook(to.url);
    const alert = await alertFor(channel);
    await testAlert(t.services, t.actor, alert.id);
    await expect(deleteChannel(t.tenancy, t.actor, { id: channel.id, revision: null })).rejects.toMatchObject({ code: 'conflict' });
    await updateAlert(t.services, t.actor, { id: alert.id, revision: 1, change: { channels: [] } });
    await deleteChannel(t.tenancy, t.actor, { id: channel.id, revision: null });
    await t.deliver();
    expect((await log())[0]).toMatchObject({ state: 'dropped', last_error: 'the channel was deleted', channel: { name: null } });
    expect(to.received).toEqual([]);
  });

  test('is not sent twice in ten seconds by hand', async () => {
    const to = await receiver();
    await testAlert(t.services, t.actor, (await alertFor(await hook(to.url))).id);
    await t.deliver();
    const [delivery] = await log();
    await expect(resendDelivery(t.tenancy, t.actor, delivery!.id)).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describe('mail', () => {
  const mailTo = (email: string) => createChannel(t.tenancy, t.actor, { type: 'email', name: `mail ${++serial}`, email });
  const server = async () => {
    const made = await mailServer();
    const mailer = createMailer({ smtpUrl: made.url, from: 'Ohm <ohm@example.com>' });
    cleanups.push(async () => mailer.close(), made.close);
    return { mail: made, mailer };
  };

  test('goes out as plain text, from the operator to one address', async () => {
    const { mail, mailer } = await server();
    const alert = await alertFor(await mailTo('ops@example.com'));
    await t.call(1, cut('rate_limited'));
    await t.look(2);
    await t.deliver(mailer);
    expect(mail.mails).toHaveLength(1);
    const { from, to, data } = mail.mails[0]!;
    expect([from, to]).toEqual(['ohm@example.com', ['ops@example.com']]);
    expect(data).toMatch(/^Subject: \[Ohm\] Firing: alert \d+ \(acme\)\r$/m);
    expect(data).toMatch(/^Content-Type: text\/plain/m);
    expect(data).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(data.replace(/=\r\n/g, '')).toContain(`https://ohm.example/acme/alerts/${alert.id}`);
    const [delivery] = await log();
    expect(data).toContain(`Message-ID: <${delivery!.id}@example.com>`);
    expect(delivery).toMatchObject({ state: 'delivered', last_status: 250, last_response: '250 2.0.0 taken as 4711' });
  });

  test('that names of things cannot smuggle headers into', async () => {
    const { mail, mailer } = await server();
    const channel = await mailTo('ops@example.com');
    const alert = await createAlert(t.services, t.actor, alertCreate.parse({ name: `a ${++serial}`, kind: 'auth', channels: [channel.id] }));
    await t.owner`update alert_rules set name = ${'x\r\nBcc: victim@example.com\r\n\r\nbody'} where id = ${alert.id}`;
    await testAlert(t.services, t.actor, alert.id);
    await t.deliver(mailer);
    expect(mail.mails[0]!.to).toEqual(['ops@example.com']);
    expect(mail.mails[0]!.data.split('\r\n\r\n')[0]).not.toMatch(/^Bcc/m);
  });

  test.each([
    ['later, when the server says so', { '.': '451 4.7.1 greylisted' }, { state: 'queued', last_status: 451, last_error: 'the mail server answered 451' }],
    ['not again, when it refuses for good', { RCPT: '550 5.1.1 no such mailbox' }, { state: 'failed', last_status: 550, last_error: 'the mail server answered 550' }],
  ])('is tried %s', async (_, replies, expected) => {
    const { mail, mailer } = await server();
    mail.replies = replies;
    const channel = await mailTo('ops@example.com');
    await testAlert(t.services, t.actor, (await alertFor(channel)).id);
    await t.deliver(mailer);
    expect((await log())[0]).toMatchObject(expected);
    expect((await channelNow(channel.id)).enabled).toBe(true);
  });

  test('without a server is kept to be read, and sent when there is one', async () => {
    await testAlert(t.services, t.actor, (await alertFor(await mailTo('ops@example.com'))).id);
    await t.deliver();
    const [kept] = await log();
    expect(kept).toMatchObject({ state: 'not_configured', last_error: expect.stringContaining('OHM_SMTP_URL'), text: expect.stringContaining('This is a test of the alert') });
    const { mail, mailer } = await server();
    await later();
    await resendDelivery(t.tenancy, t.actor, kept!.id);
    await t.deliver(mailer);
    expect([mail.mails.length, (await log())[0]!.state]).toEqual([1, 'delivered']);
  });
});
