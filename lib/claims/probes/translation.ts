import { readJson, readStream } from './door-client';
import { promised, type Probe } from './probe';

const CHAT = 'text:5,tag:w1';
const MESSAGES = 'text:5,tag:w2';
const LONG = [{ type: 'text', text: 'Answer as you like.', cache_control: { type: 'ephemeral' } }];

/** A client and a provider of one API: what the provider wrote is what the client reads. */
export const ownBytesPass: Probe = {
  id: 'own_bytes_pass',
  how: 'Streams from the sandbox, which speaks chat completions, to a client of the same API, and looks for a member that only the sandbox writes in every frame.',
  routes: { 'probe-own-bytes': [CHAT] },
  async run(bench) {
    const answer = await bench.ask({ model: 'probe-own-bytes', stream: true });
    const read = readStream(answer.body);
    const frames = read.frames.filter((frame) => frame.choices !== undefined);
    const own = frames.filter((frame) => typeof (frame as { system_fingerprint?: unknown }).system_fingerprint === 'string');
    promised(answer.status === 200 && read.done, `the client got status ${answer.status}`);
    promised(frames.length >= 5 && own.length === frames.length, `${own.length} of ${frames.length} frames carried the provider’s own system_fingerprint`);
    promised(read.ids.length === 1 && read.ids[0] !== answer.callId && !read.ids[0]!.includes(answer.callId ?? '-'), `the frames carried the id ${read.ids.join(' and ')}`);
    return { saw: `All ${frames.length} frames came with the provider’s own id and a member that this gateway does not know.`, figures: { frames: frames.length, own_frames: own.length } };
  },
};

/** A client of another API: what the provider has no word for is named, or refused by name before anybody is asked. */
export const lossesAreNamed: Probe = {
  id: 'losses_are_named',
  how: 'Asks the sandbox through the Messages API twice: with a cache mark, which its wire lacks and whose loss changes nothing, and with top_k, whose loss would change the answer.',
  routes: { 'probe-losses': [MESSAGES] },
  async run(bench) {
    const ask = (body: Record<string, unknown>) => bench.ask({ path: '/v1/messages', model: 'probe-losses', stream: false, body: { max_tokens: 100, ...body } });
    const hinted = await ask({ system: LONG });
    promised(hinted.status === 200, `with a hint the client got status ${hinted.status}`);
    promised(hinted.headers['x-ohm-dropped-params'] === 'cache_control', `X-Ohm-Dropped-Params said ${hinted.headers['x-ohm-dropped-params'] ?? 'nothing'}`);
    const refused = await ask({ top_k: 40 });
    const { error } = readJson(refused.body);
    promised(refused.status === 400 && (error as { param?: string } | undefined)?.param === 'top_k', `with top_k the client got status ${refused.status} and ${JSON.stringify(error)?.slice(0, 120) ?? 'no error'}`);
    const contacts = bench.contacts(MESSAGES).length;
    promised(contacts === 1, `the sandbox was contacted ${contacts} times`);
    return { saw: 'The lost hint was named in X-Ohm-Dropped-Params; top_k was refused with 400, by its name, without asking the provider.', figures: { contacts } };
  },
};
