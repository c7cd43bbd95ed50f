import { authenticate, readinessOf } from '../gateway';
import type { Engine } from '../gateway/engine';
import type { CallRequest } from '../gateway/ports';
import type { Rejection } from '../gateway/rejection';
import { newId } from '../std';
import { webRequest } from '../web-door';
import { batchFault, withoutCancellations } from './batch';
import { type ProvidersReport, reportOf } from './report';

/** Whether somebody may ask now; `resetS` says when again. */
type Limit = (who: string) => { allowed: boolean; resetS: number };

export interface McpOptions {
  engine: Engine;
  /** By network, before anything is read; and by key, since whoever holds one may have many addresses. */
  limits: { network: Limit; key: Limit };
}

export interface Mcp {
  /** Answers one HTTP request of the Streamable HTTP transport. `network`: the client's, null where it is not known. */
  answer(request: Request, network: string | null): Promise<Response>;
}

/** What the tool comes to: a report, or one sentence that says what to do. */
export type Told = { ok: true; report: ProvidersReport } | { ok: false; message: string };

/** A message of this protocol is short. Bytes. */
const MOST_BYTES = 64 * 1024;

/**
 * The Model Context Protocol at one address, without sessions: every message is answered by itself, in JSON, by any
 * process. Public but for the tool's answer, which wants the key that the gateway wants. A page of any origin may ask,
 * as it may ask the gateway itself: nothing here goes by a cookie or by who is on the network.
 */
export function createMcp({ engine, limits }: McpOptions): Mcp {
  async function tell(asked: CallRequest, route: string | null): Promise<Told> {
    const caller = await authenticate(engine, asked);
    if ('rejected' in caller) return refused(caller);
    const { allowed, resetS } = limits.key(caller.key.id);
    if (!allowed) return { ok: false, message: `rate_limit_exceeded: This key has asked too often in the last minute. Ask again in ${resetS} s.` };
    const found = await readinessOf(engine, caller, route);
    return 'rejected' in found ? refused(found) : { ok: true, report: reportOf(found, engine.clock.now()) };
  }

  async function handle(request: Request, network: string | null): Promise<Response> {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { 'access-control-max-age': '86400' } });
    // No session to end, and nothing that the server would say by itself.
    if (request.method !== 'POST') return fault(405, SERVER_ERROR, 'Use POST: this server has no sessions and sends nothing by itself.', { allow: 'POST, OPTIONS' });
    const passed = network === null ? null : limits.network(network);
    if (passed !== null && !passed.allowed) return fault(429, SERVER_ERROR, `Too many requests. Ask again in ${passed.resetS} s.`, { 'retry-after': String(passed.resetS) });
    const asked = webRequest(request);
    const read = await asked.body(MOST_BYTES, 'mcp').catch((error: { code?: string }) => error.code ?? 'client_left');
    if (read === null) return fault(413, INVALID_REQUEST, `The message is larger than ${MOST_BYTES} bytes.`);
    if (typeof read === 'string') return read === 'unsupported_encoding' ? fault(415, INVALID_REQUEST, 'Send the message without Content-Encoding.') : fault(400, PARSE_ERROR, 'The message did not arrive.');
    const message = parsed(read);
    if (message === undefined) return fault(400, PARSE_ERROR, 'Parse error: the body is not JSON.');
    const unfit = batchFault(message);
    if (unfit !== null) return fault(400, INVALID_REQUEST, unfit);
    // Loaded when the first client speaks it, so that a gateway without agents never has it in memory.
    const { serve } = await import('./serve');
    return await serve(request, withoutCancellations(message), (route) => tell(asked, route));
  }

  return {
    async answer(request, network) {
      const response = await handle(request, network).catch((error: unknown) => {
        engine.report(error);
        return fault(500, INTERNAL_ERROR, 'The gateway failed.');
      });
      for (const [name, value] of Object.entries({ ...COMMON, 'x-ohm-request-id': newId('req') })) response.headers.set(name, value);
      return response;
    },
  };
}

/** As the gateway refuses a call, in one line. */
const refused = ({ error, retryAfterS }: Rejection): Told => ({ ok: false, message: `${error.code}: ${error.message}${retryAfterS === null ? '' : ` Ask again in ${Math.ceil(retryAfterS)} s.`}` });

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;
const SERVER_ERROR = -32000;

const COMMON = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, accept, mcp-protocol-version, mcp-session-id, last-event-id',
  'access-control-expose-headers': 'retry-after, x-ohm-request-id',
  'cache-control': 'no-store',
};

const fault = (status: number, code: number, message: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), { status, headers: { 'content-type': 'application/json', ...headers } });

/** Undefined when it is no JSON. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined; // told as a parse error
  }
}
