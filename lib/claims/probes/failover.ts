import { textToken } from '../../providers/sandbox';
import { readJson, readStream } from './door-client';
import { firstTierWasAsked, promised, type Probe } from './probe';

const counting = (tokens: number): string => Array.from({ length: tokens }, (_, at) => textToken(at + 1)).join('');

/** A first tier that sends headers, a role frame and empty frames, and then dies; a second that answers. */
export const failoverBeforeContent: Probe = {
  id: 'failover_before_content',
  how: 'Streams through a route whose first tier sends headers, a role frame and empty frames and then resets, and whose second tier answers 20 numbered tokens.',
  routes: { 'probe-failover': ['role,preamble:3,comment:1,wait:20ms,reset,tag:f1', 'text:20,tag:f2'] },
  async run(bench) {
    const answer = await bench.ask({ model: 'probe-failover', stream: true });
    firstTierWasAsked(bench, 'role,preamble:3,comment:1,wait:20ms,reset,tag:f1');
    const read = readStream(answer.body);
    const first = bench.contacts('role,preamble:3,comment:1,wait:20ms,reset,tag:f1').length;
    const second = bench.contacts('text:20,tag:f2').length;
    promised(answer.status === 200, `the client got status ${answer.status}`);
    promised(second === 1 && first === 1, `tier 1 was contacted ${first} times and tier 2 ${second} times`);
    promised(answer.ending === 'end' && read.done && read.error === null, `the stream ended with ${read.error === null ? answer.ending : 'an error frame'}${read.done ? '' : ' and without [DONE]'}`);
    promised(read.text === counting(20), `the text was “${read.text.slice(0, 60)}”`);
    promised(read.ids.length === 1, `frames of ${read.ids.length} different answers reached the client`);
    promised(read.models.length === 1 && read.models[0] === 'text:20,tag:f2', `frames named ${read.models.join(' and ')}`);
    promised(read.strays.length === 0, `a line of the first tier reached the client: “${read.strays[0]}”`);
    promised(answer.headers['x-ohm-stream-failover'] === 'pre-first-byte', 'X-Ohm-Stream-Failover was missing');
    return { saw: 'Tier 1 was contacted once and died before content; tier 2 answered. The client got tier 2’s 20 tokens, one id, and nothing of tier 1.', figures: { tier_1_contacts: 1, tier_2_contacts: 1, frames_of_tier_1_seen: 0 } };
  },
};

/** A stream that dies after content, with a healthy tier standing by. */
export const noHandoffAfterContent: Probe = {
  id: 'no_handoff_after_content',
  how: 'Streams through a route whose first tier sends five tokens and then resets, with a healthy second tier, and counts how often that second tier is contacted.',
  routes: { 'probe-truncation': ['text:5,reset,tag:t1', 'text:20,tag:t2'] },
  async run(bench) {
    const answer = await bench.ask({ model: 'probe-truncation', stream: true });
    firstTierWasAsked(bench, 'text:5,reset,tag:t1');
    const read = readStream(answer.body);
    const second = bench.contacts('text:20,tag:t2').length;
    promised(second === 0, `after the commit another tier was contacted ${second} times`);
    promised(answer.status === 200 && read.text === counting(5), `the client got status ${answer.status} and “${read.text.slice(0, 60)}”`);
    promised(read.error?.code === 'stream_truncated', read.error === null ? 'no error frame told of the cut' : `the error frame’s code was ${read.error?.code}`);
    promised(read.frames.at(-1)?.error !== undefined && read.frames.at(-1)?.choices === undefined, 'the error frame was not the last one, or carried choices');
    promised(!read.done, '[DONE] followed a truncated stream');
    promised(read.finishReason === null, `the cut stream carried finish_reason ${read.finishReason}`);
    promised(answer.ending === 'end', 'the body did not end cleanly');
    return { saw: 'The client got five tokens, then an error frame with code stream_truncated, then a clean end without [DONE]. The second tier was contacted 0 times.', figures: { second_tier_contacts: second, tokens_before_the_cut: 5 } };
  },
};

/** The same cut in a JSON answer, of which nothing was sent yet. */
export const jsonFailsOver: Probe = {
  id: 'json_fails_over',
  how: 'Asks for JSON through a route whose first tier cuts its body half way and whose second tier answers.',
  routes: { 'probe-json': ['text:5,reset,tag:j1', 'text:20,tag:j2'] },
  async run(bench) {
    const answer = await bench.ask({ model: 'probe-json', stream: false });
    firstTierWasAsked(bench, 'text:5,reset,tag:j1');
    const read = readJson(answer.body);
    promised(answer.status === 200, `the client got status ${answer.status}`);
    promised(read.choices?.[0]?.message?.content === counting(20), 'the content was not tier 2’s');
    promised(bench.contacts('text:20,tag:j2').length === 1, `tier 2 was contacted ${bench.contacts('text:20,tag:j2').length} times`);
    return { saw: 'The half body of tier 1 was thrown away; the client got tier 2’s whole JSON.', figures: { tier_2_contacts: 1 } };
  },
};

/** With `complete`, the answer is held until it is whole: even a cut after content can still fail over. */
export const completeCommit: Probe = {
  id: 'complete_commit',
  how: 'Streams with X-Ohm-Commit: complete through a route whose first tier sends five tokens and then resets.',
  routes: { 'probe-complete': ['text:5,reset,tag:c1', 'text:20,tag:c2'] },
  async run(bench) {
    const answer = await bench.ask({ model: 'probe-complete', stream: true, headers: { 'x-ohm-commit': 'complete' } });
    firstTierWasAsked(bench, 'text:5,reset,tag:c1');
    const read = readStream(answer.body);
    promised(answer.status === 200 && read.done && read.error === null, `the client got status ${answer.status}${read.error === null ? '' : ' and an error frame'}`);
    promised(read.text === counting(20) && read.ids.length === 1, `the text was “${read.text.slice(0, 60)}”`);
    promised(answer.headers['x-ohm-commit'] === 'complete', `X-Ohm-Commit said ${answer.headers['x-ohm-commit'] ?? 'nothing'}`);
    return { saw: 'Nothing of the five tokens reached the client; it got tier 2’s whole answer, marked X-Ohm-Commit: complete.' };
  },
};

/** When nobody answers, the status says so: never a 200 that only carries an error. */
export const nobodyAnswered: Probe = {
  id: 'nobody_answered',
  how: 'Streams through a route whose two tiers answer 501 and an HTML page.',
  routes: { 'probe-rejected': ['status:501,tag:r1', 'html,tag:r2'] },
  async run(bench) {
    const answer = await bench.ask({ model: 'probe-rejected', stream: true });
    const read = readJson(answer.body);
    promised(answer.status === 502, `the status was ${answer.status}`);
    promised(read.error !== undefined && (answer.headers['content-type'] ?? '').startsWith('application/json'), 'the answer was not a JSON error');
    promised(answer.headers['x-should-retry'] === 'false', 'x-should-retry: false was missing');
    return { saw: 'Both tiers failed; the client got one JSON error with status 502 and x-should-retry: false.', figures: { status: answer.status } };
  },
};
