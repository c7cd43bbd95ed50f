import type { Contact } from '../../providers/sandbox';
import { readJson, readStream } from './door-client';
import { firstTierWasAsked, promised, type Probe } from './probe';

const FAILING = 'wait:150ms,status:501,tag:o1';
const SLOW = 'wait:500ms,text:5,tag:o3';

/** Are two upstream requests of one call ever open at the same time? Does a slow one ever get company? */
export const oneAtATime: Probe = {
  id: 'one_at_a_time',
  how: 'Streams through a route whose first tier fails after 150 ms, and through one whose first tier is slow but fine, and compares when each upstream request was open.',
  routes: { 'probe-order': [FAILING, 'wait:150ms,text:5,tag:o2'], 'probe-slow': [SLOW, 'text:5,tag:o4'] },
  async run(bench) {
    const walked = await bench.ask({ model: 'probe-order', stream: true });
    const slow = await bench.ask({ model: 'probe-slow', stream: true });
    firstTierWasAsked(bench, FAILING);
    const overlaps = overlapping(bench.contacts());
    const company = bench.contacts('text:5,tag:o4').length;
    promised(walked.status === 200 && slow.status === 200, `the calls ended with status ${walked.status} and ${slow.status}`);
    promised(overlaps === 0, `${overlaps} pairs of upstream requests were open at the same time`);
    promised(company === 0, `while tier 1 was slow but alive, tier 2 was contacted ${company} times`);
    promised(bench.contacts('wait:150ms,text:5,tag:o2')[0]!.startedAtMs > bench.contacts(FAILING)[0]!.startedAtMs, 'tier 2 was asked before tier 1');
    return { saw: 'No two upstream requests were ever open together. A slow first tier was waited for; the second was contacted 0 times.', figures: { overlapping_requests: overlaps, second_tier_contacts_while_waiting: company } };
  },
};

function overlapping(contacts: Contact[]): number {
  let pairs = 0;
  for (const [at, one] of contacts.entries()) {
    for (const other of contacts.slice(at + 1)) {
      if (other.startedAtMs < (one.endedAtMs ?? Infinity) && one.startedAtMs < (other.endedAtMs ?? Infinity)) pairs += 1;
    }
  }
  return pairs;
}

const NAMED = 'text:3,tag:m2';

/** Is the client told which tier and model answered, and never given another model under the name it asked for? */
export const servedModelIsNamed: Probe = {
  id: 'served_model_is_named',
  how: 'Streams through a route whose first tier answers 404, compares the headers and every frame with the tier that really answered, and asks for a model that does not exist.',
  routes: { 'probe-named': ['status:404,tag:m1', NAMED] },
  async run(bench) {
    const answer = await bench.ask({ model: 'probe-named', stream: true });
    firstTierWasAsked(bench, 'status:404,tag:m1');
    const read = readStream(answer.body);
    const told = { tier: answer.headers['x-ohm-tier'], provider: answer.headers['x-ohm-provider'], model: answer.headers['x-ohm-model'], attempts: answer.headers['x-ohm-attempts'], route: answer.headers['x-ohm-route'] };
    promised(answer.status === 200 && bench.contacts(NAMED).length === 1, `the client got status ${answer.status}`);
    promised(told.tier === '2' && told.model === NAMED && told.provider === 'sandbox' && told.route === 'probe-named', `the headers named tier ${told.tier}, ${told.provider}, ${told.model}`);
    promised(told.attempts === '2', `X-Ohm-Attempts said ${told.attempts}`);
    promised(read.models.length === 1 && read.models[0] === NAMED, `the frames named ${read.models.join(' and ') || 'no model'}`);
    const before = bench.contacts().length;
    const unknown = await bench.ask({ model: 'a-model-that-does-not-exist', stream: true });
    promised(unknown.status === 404 && readJson(unknown.body).error?.code === 'model_not_found', `an unknown model got status ${unknown.status}`);
    promised(bench.contacts().length === before, 'an unknown model reached an upstream');
    return { saw: 'The headers and every frame named tier 2’s model, which had answered. An unknown model was refused with 404 and reached no upstream.', figures: { attempts: 2, upstream_contacts_for_an_unknown_model: 0 } };
  },
};

/** A fault of the caller's, and a refusal for policy, go back to the caller; nobody else is asked. */
export const callersFaultIsReturned: Probe = {
  id: 'callers_fault_is_returned',
  how: 'Sends a request that the first tier refuses with 400, and one that it refuses for its content policy, each with a healthy second tier.',
  routes: { 'probe-fault': ['status:400,tag:x1', 'text:5,tag:x2'], 'probe-policy': ['status:400,code:content_policy_violation,tag:x3', 'text:5,tag:x4'] },
  async run(bench) {
    const fault = await bench.ask({ model: 'probe-fault', stream: true });
    const policy = await bench.ask({ model: 'probe-policy', stream: true });
    const elsewhere = bench.contacts('text:5,tag:x2').length + bench.contacts('text:5,tag:x4').length;
    promised(fault.status === 400 && policy.status === 400, `the statuses were ${fault.status} and ${policy.status}`);
    promised(elsewhere === 0, `the second tier was contacted ${elsewhere} times`);
    return { saw: 'Both refusals reached the client with status 400; the second tier was contacted 0 times.', figures: { second_tier_contacts: elsewhere } };
  },
};
