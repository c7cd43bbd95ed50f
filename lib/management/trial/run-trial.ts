import { createGateway } from '../../gateway';
import type { Engine } from '../../gateway/engine';
import { type Caller, type CallLog, REPLAY_OFF, type RouteConfig, SAVING_OFF, type TierConfig } from '../../gateway/ports';
import type { Outbound } from '../../gateway/upstream';
import { createHealth } from '../../health';
import type { CallRow } from '../../metering/call-row';
import { newId } from '../../std';
import { memorySink } from './memory-sink';

export interface Trial {
  workspaceId: string;
  route: RouteConfig;
  prompt: string;
  /** 1-based tier whose upstream is not asked and counts as unreachable; null for none. */
  failTier: number | null;
  /** Everything ends after this long, ms. */
  limitMs: number;
  /** Ends the test early: whoever asked for it has left. */
  signal?: AbortSignal;
}

export interface TrialResult {
  /** The row that the call would have in the ledger; null when the time ran out before it had an end. */
  row: CallRow | null;
  /** The beginning of the answer's text. */
  text: string;
}

/**
 * One call down a route through the engine itself: the same machine, clocks, adapters and outbound client.
 * Apart from real traffic: it has a health record of its own (a failure on purpose degrades nobody's tier), and
 * no row in the ledger, since no client made it.
 */
export async function runTrial(engine: Engine, trial: Trial): Promise<TrialResult> {
  let row: CallRow | null = null;
  const ledger: CallLog = {
    admit: () => undefined,
    settle: (settled) => {
      row = settled;
    },
    charged: () => undefined,
    correct: () => undefined,
    measured: () => undefined,
  };
  const route = trial.failTier === null ? trial.route : withUnreachableTier(trial.route, trial.failTier);
  const caller = callerOf(trial.workspaceId, route);
  const gateway = createGateway({
    ...engine,
    ledger,
    health: createHealth(engine.clock, engine.random),
    outbound: withUnreachable(engine.outbound),
    directory: { find: () => caller },
  });
  const sink = memorySink(MAX_ANSWER_BYTES);
  const leave = () => sink.leave();
  const timer = setTimeout(leave, trial.limitMs);
  trial.signal?.addEventListener('abort', leave, { once: true });
  try {
    const body = Buffer.from(JSON.stringify({ model: route.name, stream: true, max_completion_tokens: MAX_ANSWER_TOKENS, messages: [{ role: 'user', content: trial.prompt }] }));
    await gateway.handle({ method: 'POST', path: '/v1/chat/completions', query: '', headers: { authorization: 'Bearer trial' }, body: async () => body }, sink);
  } finally {
    clearTimeout(timer);
    trial.signal?.removeEventListener('abort', leave);
  }
  return { row, text: textOf(sink.text()).slice(0, MAX_TEXT) };
}

/** Enough for a model that thinks before its first word. */
const MAX_ANSWER_TOKENS = 1_024;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_TEXT = 2000;
/** Reserved by RFC 2606: no such host can exist. */
const UNREACHABLE = 'https://failed-on-purpose.invalid';

function callerOf(workspaceId: string, route: RouteConfig): Caller {
  return {
    key: { id: newId('key'), workspaceId, name: 'trial', defaultRoute: route.name, directModels: false, strictRoute: false, tiers: null, expiresAt: null, limits: null, replay: REPLAY_OFF, saving: SAVING_OFF },
    workspace: {
      id: workspaceId,
      routes: new Map([[route.name, route]]),
      connections: new Map(route.tiers.flatMap((tier) => tier.eco ?? [tier]).map(({ connection }) => [connection.name, connection])),
      fallbackModel: null,
      limits: null,
      replay: { generation: 0, sharedGeneration: 0 },
    },
  };
}

function withUnreachableTier(route: RouteConfig, position: number): RouteConfig {
  const fail = (tier: TierConfig): TierConfig => ({
    ...tier,
    connection: { ...tier.connection, kind: 'http', baseUrl: UNREACHABLE, apiKey: () => null },
    eco: tier.eco?.map(fail) ?? null,
  });
  return { ...route, tiers: route.tiers.map((tier, index) => (index + 1 === position ? fail(tier) : tier)) };
}

/** Refuses what goes to the address that stands for a failure on purpose; all else goes the usual way. */
function withUnreachable(outbound: Outbound): Outbound {
  return {
    open(request, handler) {
      if (request.origin !== UNREACHABLE) return outbound.open(request, handler);
      let aborted = false;
      queueMicrotask(() => {
        if (aborted) return;
        handler.onError({ phase: 'connect', code: 'failed_on_purpose', message: 'this tier fails on purpose in this test', refused: false });
      });
      return { pause: () => undefined, resume: () => undefined, abort: () => void (aborted = true) };
    },
  };
}

/** The content of the chunks. The gateway relays only `data:` lines that parse; the last may be cut by our own limit. */
function textOf(body: string): string {
  let text = '';
  for (const line of body.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    try {
      const chunk = JSON.parse(line.slice(6)) as { choices?: { delta?: { content?: unknown } }[] };
      const content = chunk.choices?.[0]?.delta?.content;
      if (typeof content === 'string') text += content;
    } catch {
      break; // cut at our limit
    }
  }
  return text;
}
