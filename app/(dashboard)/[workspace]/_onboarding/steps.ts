import type { CallRow } from '@/lib/metering/call-row';
import type { FailureClass } from '@/lib/wire';
import { wordsOfFailure } from '@/app/_ui/timeline/describe';

/** What the checklist is derived from. Nothing of it is stored: it is read afresh each time. */
export interface Facts {
  connections: { id: string; name: string; kind: 'http' | 'sandbox' }[];
  routes: { id: string; name: string; tiers: number }[];
  keys: { id: string; name: string; state: 'active' | 'disabled' | 'expired'; defaultRoute: string | null }[];
  /** A call that reached its end whole; null when there is none yet. */
  finished: { id: string } | null;
  /** The newest call, however it ended. */
  latest: Pick<CallRow, 'id' | 'state' | 'error_code' | 'attempts' | 'key_id' | 'requested_model'> | null;
}

export interface Step {
  id: 'connection' | 'route' | 'key' | 'call';
  title: string;
  done: boolean;
  /** What is there, or what to do. */
  text: string;
  /** Where the step is done. */
  action: { label: string; path: string } | null;
}

/** Why the newest call did not get through, and the page that mends it. Paths are relative to the workspace. */
export interface Problem {
  step: Step['id'];
  text: string;
  fix: { label: string; path: string };
  callId: string;
}

export interface Progress {
  steps: Step[];
  problem: Problem | null;
  done: boolean;
  finishedCallId: string | null;
}

export function progressOf(facts: Facts): Progress {
  const steps = [connectionStep(facts), routeStep(facts), keyStep(facts), callStep(facts)];
  return {
    steps,
    problem: facts.finished === null && facts.latest !== null ? problemOf(facts, facts.latest) : null,
    done: facts.finished !== null,
    finishedCallId: facts.finished?.id ?? null,
  };
}

function connectionStep({ connections }: Facts): Step {
  const real = connections.filter((connection) => connection.kind === 'http');
  const text =
    connections.length === 0
      ? 'Add the credential of a provider, or the sandbox, which needs none.'
      : real.length === 0
        ? 'The sandbox is there: a provider inside Ohm that fails on command. Add one of your own when you like.'
        : `${names(connections)} ${connections.length === 1 ? 'is' : 'are'} there.`;
  return { id: 'connection', title: 'Have a provider', done: connections.length > 0, text, action: { label: 'Add connection', path: '/connections/new' } };
}

function routeStep({ routes }: Facts): Step {
  const usable = routes.filter((route) => route.tiers > 0);
  const text = usable.length === 0 ? 'Say which models are tried, in which order.' : `${names(usable)}: ${usable.length === 1 ? 'its tiers are' : 'their tiers are'} tried from top to bottom.`;
  return { id: 'route', title: 'Order the tiers', done: usable.length > 0, text, action: usable.length === 0 ? { label: 'Make a route', path: '/routes/new' } : { label: 'See the routes', path: '/routes' } };
}

function keyStep({ keys }: Facts): Step {
  const active = keys.filter((key) => key.state === 'active');
  const issue = { label: 'Issue key', path: '/keys/new?from=overview' };
  if (active.length > 0) return { id: 'key', title: 'Issue a key', done: true, text: `${names(active)} ${active.length === 1 ? 'is' : 'are'} active.`, action: { label: 'See the keys', path: '/keys' } };
  if (keys.length > 0) return { id: 'key', title: 'Issue a key', done: false, text: 'No key is active: all are disabled or expired.', action: issue };
  return { id: 'key', title: 'Issue a key', done: false, text: 'It is shown once, with a command to try it.', action: issue };
}

function callStep({ finished }: Facts): Step {
  if (finished !== null) return { id: 'call', title: 'Send the first call', done: true, text: 'A whole answer reached the client.', action: { label: 'See its timeline', path: `/calls/${finished.id}` } };
  return { id: 'call', title: 'Send the first call', done: false, text: 'This page listens for it.', action: null };
}

function problemOf(facts: Facts, call: NonNullable<Facts['latest']>): Problem {
  const problem = (step: Step['id'], text: string, label: string, path: string): Problem => ({ step, text, fix: { label, path }, callId: call.id });
  if (call.state === 'aborted') return problem('call', 'The newest call was cut by its client before the end. Let it run to its end.', 'See the call', `/calls/${call.id}`);
  if (call.state === 'lost') return problem('call', 'The gateway was stopped during the newest call. Send it again.', 'See the call', `/calls/${call.id}`);
  if (call.error_code === 'model_not_found') {
    return problem('key', `The newest call asked for the model “${call.requested_model}”, which its key may not use. Give the key a default route and ask for auto.`, 'Edit the key', `/keys/${call.key_id}`);
  }
  const last = call.attempts.findLast((attempt) => attempt.class !== null);
  if (last === undefined || last.class === null) return problem('route', 'The newest call found no tier that could take it.', 'See the routes', '/routes');
  const connection = facts.connections.find((candidate) => candidate.name === last.connection);
  const connectionPath = connection ? `/connections/${connection.id}` : '/connections';
  const where = MENDED_AT[last.class];
  const text = `The newest call failed at ${last.model} on ${last.connection}: ${wordsOfFailure(last.class, last.message)}.`;
  if (where === 'connection') return problem('connection', text, `Check ${last.connection}`, connectionPath);
  if (where === 'route') return problem('route', text, 'See the routes', '/routes');
  return problem('call', text, 'See the call', `/calls/${call.id}`);
}

/** Where a failure of this class is mended. */
const MENDED_AT: Record<FailureClass, 'connection' | 'route' | 'call'> = {
  connect: 'connection',
  auth: 'connection',
  quota: 'connection',
  not_a_stream: 'connection',
  malformed: 'connection',
  not_found: 'route',
  rate_limited: 'route',
  server_error: 'route',
  overloaded: 'route',
  timeout: 'route',
  stalled: 'route',
  deadline: 'route',
  cut: 'call',
  too_large: 'call',
  context_length: 'call',
  invalid_request: 'call',
  content_policy: 'call',
  draining: 'call',
};

function names(things: { name: string }[]): string {
  const shown = things.slice(0, 3).map((thing) => thing.name).join(', ');
  return things.length > 3 ? `${shown} and ${things.length - 3} more` : shown;
}
