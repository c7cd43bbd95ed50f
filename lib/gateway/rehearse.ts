import type { CallRow } from '../metering';
import { newId } from '../std';
import { callFacts } from './call-facts';
import { conclude } from './conclude';
import type { Engine } from './engine';
import { openCall, type OpenCall } from './open-call';
import type { Caller, RouteConfig, Sink, TierConfig } from './ports';
import { readChatRequest } from './read-request';
import { admittedRow } from './settle';
import { walk } from './walk';

export interface Rehearsal {
  workspaceId: string;
  route: RouteConfig;
  /** 1-based tier to treat as failing, null for none. */
  failTier: number | null;
  prompt: string;
  stream: boolean;
  maxTokens: number;
}

export interface Rehearsed {
  /** The call's ledger row: a rehearsal costs what it costs, so it is on the books like any call, under the key id `rehearsal`. */
  row: CallRow;
  /** What a client would have got, at most 256 KiB. */
  body: string;
}

/** The key id under which rehearsals stand in the ledger. */
export const REHEARSAL_KEY = 'rehearsal';

/** Walks a route as a client's call would, through the same code, for the test buttons. Nobody's key is used. */
export async function rehearse(engine: Engine, open: Set<OpenCall>, rehearsal: Rehearsal): Promise<Rehearsed> {
  let row: CallRow | null = null;
  const { ledger } = engine;
  const recorded: Engine = {
    ...engine,
    ledger: {
      admit: (admitted) => ledger.admit(admitted),
      settle: (settled) => ledger.settle((row = settled)),
      correct: (id, change) => ledger.correct(id, change),
    },
  };
  const createdAt = engine.clock.now();
  const facts = callFacts(recorded, newId('call', createdAt), createdAt, engine.clock.monotonic(), callerOf(rehearsal));
  const text = JSON.stringify({
    model: rehearsal.route.name,
    stream: rehearsal.stream,
    max_tokens: rehearsal.maxTokens,
    messages: [{ role: 'user', content: rehearsal.prompt }],
  });
  const request = readChatRequest(Buffer.from(text));
  if ('rejected' in request) throw new Error(request.error.message);
  Object.assign(facts, { routeLabel: rehearsal.route.name, requestedModel: request.model, stream: request.stream, requestBytes: text.length, complete: rehearsal.stream && rehearsal.route.commit === 'complete' });
  const { sink, body } = memorySink();
  const call = openCall(facts, withFailingTier(rehearsal.route, rehearsal.failTier), request, { firstTierOnly: false, traceparent: null }, sink);
  open.add(call);
  try {
    await recorded.ledger.admit(admittedRow(call));
    await conclude(call, await walk(call));
  } finally {
    open.delete(call);
  }
  return { row: row!, body: body() };
}

function callerOf({ workspaceId, route }: Rehearsal): Caller {
  return {
    key: { id: REHEARSAL_KEY, workspaceId, name: REHEARSAL_KEY, defaultRoute: route.name, directModels: false, strictRoute: false, tiers: null, expiresAt: null },
    workspace: { id: workspaceId, routes: new Map([[route.name, route]]), connections: new Map(), fallbackModel: null },
  };
}

/** The tier's place is taken by the sandbox answering 503, under a connection id of its own so that no health is touched. */
function withFailingTier(route: RouteConfig, failTier: number | null): RouteConfig {
  if (failTier === null) return route;
  return { ...route, tiers: route.tiers.map((tier, index) => (index + 1 === failTier ? failing(tier) : tier)) };
}

const failing = (tier: TierConfig): TierConfig => ({
  ...tier,
  model: 'status:503',
  connection: { ...tier.connection, id: `rehearsal_${newId('fail')}`, provider: 'sandbox', kind: 'sandbox', apiKey: () => null },
});

const MOST_BYTES = 256 * 1024;

function memorySink(): { sink: Sink; body: () => string } {
  let text = '';
  return {
    body: () => text,
    sink: {
      head: () => undefined,
      write(chunk) {
        if (text.length < MOST_BYTES) text += chunk.toString();
        return true;
      },
      end: () => undefined,
      onDrain: () => undefined,
      onClose: () => undefined,
      closed: false,
    },
  };
}
