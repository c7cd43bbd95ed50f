import { modelsFor, resolveModel } from '../routing';
import { type ReplayPlace, routeMark, type StoredAnswer } from '../replay';
import { newId, type Roster } from '../std';
import type { Later } from '../stores';
import type { Surface } from '../surfaces';
import { callFacts, type CallFacts } from './call-facts';
import { bearer, callOptions, one } from './call-options';
import { conclude, leftUnread, reject, serveStored } from './conclude';
import type { Engine } from './engine';
import { openCall, type OpenCall, releaseUnsent } from './open-call';
import type { Caller, CallRequest, Sink } from './ports';
import { readRequest } from './read-request';
import { passLimits, passRates } from './pass-limits';
import { REFUSALS, type Rejection } from './rejection';
import { sendRejection } from './respond';
import { countTokens, saveTokens } from './save-tokens';
import { admittedRow } from './settle';
import { walk } from './walk';

/**
 * One call, top to bottom: authenticate, read, resolve the route, look for a stored answer, admit, rewrite, walk the
 * tiers, settle and answer.
 * `open` holds the calls that have a client waiting.
 *
 * It waits only where there is something to wait for: once Next has served a page, every promise in the process
 * carries the state of its async storages, and thirty of them were a quarter of what a call allocates.
 */
export async function handleCall(engine: Engine, open: Roster<OpenCall>, surface: Surface, request: CallRequest, sink: Sink): Promise<void> {
  const createdAt = engine.clock.now();
  const startedAt = engine.clock.monotonic();
  const given = engine.edge === null ? null : engine.edge.callId(request);
  const id = given ?? newId('call', createdAt);

  const found = authenticate(engine, request);
  const caller = found instanceof Promise ? await found : found;
  if ('rejected' in caller) return void sendRejection(sink, surface, newId('req', createdAt), caller, null); // nobody's call has no row

  const facts = callFacts(engine, id, createdAt, startedAt, caller, surface);
  if (engine.draining()) return reject(facts, sink, REFUSALS.draining());
  const body = await request.body(engine.maxBodyBytes, caller.workspace.id).catch((error: { code?: string }) => bodyRefusal(error.code));
  if (body === 'left') return leftUnread(facts);
  const call = prepare(facts, request, body, sink);
  if ('rejected' in call) return reject(facts, sink, call);
  if (given !== null && call.replay !== null && !call.stream) engine.edge!.grant(call);

  open.add(call);
  try {
    if (call.replay !== null) {
      const looked = findStored(call, call.replay);
      const stored = looked instanceof Promise ? await looked : looked;
      if (call.interrupted === 'client_left') return void (await conclude(call, { type: 'left' }));
      if (stored !== null) {
        const rated = passRates(call);
        const over = rated instanceof Promise ? await rated : rated;
        if (over) call.replayed = null;
        return void (await (over ? reject(call, sink, over, call) : serveStored(call, stored)));
      }
    }
    try {
      const written = engine.ledger.admit(admittedRow(call));
      if (written instanceof Promise) await written;
    } catch {
      return void sendRejection(sink, surface, id, REFUSALS.unavailable(), call); // nothing was sent to a provider, and nothing will be
    }
    const passed = passLimits(call);
    const refused = passed instanceof Promise ? await passed : passed;
    if (refused) return void (await reject(call, sink, refused, call));
    const rewriting = saveTokens(call);
    if (rewriting instanceof Promise) await rewriting;
    const walking = walk(call);
    countTokens(call);
    const concluded = conclude(call, await walking);
    if (concluded instanceof Promise) await concluded;
  } finally {
    releaseUnsent(call);
    open.delete(call);
  }
}

/** Who calls. Synchronous when the key is known already. */
export function authenticate(engine: Engine, request: CallRequest): Caller | Rejection | Promise<Caller | Rejection> {
  if (one(request.headers.via)?.includes(engine.via)) return REFUSALS.loop();
  const token = bearer(request.headers);
  if (token === null) return REFUSALS.badKey();
  const found = engine.directory.find(token);
  if (!(found instanceof Promise)) return found ?? REFUSALS.badKey();
  return found.then(
    (caller) => caller ?? REFUSALS.badKey(),
    () => REFUSALS.unavailable(), // an outage is never a 401
  );
}

/** Reads the request and finds its route. Notes in `facts` what it learns on the way. `body` is null when it is too large. */
function prepare(facts: CallFacts, request: CallRequest, body: Buffer | Rejection | null, sink: Sink): OpenCall | Rejection {
  const { engine, caller } = facts;
  if (body === null) return REFUSALS.tooLarge(engine.maxBodyBytes);
  if ('rejected' in body) return body;
  facts.requestBytes = body.length;

  const read = readRequest(facts.surface, body);
  if ('rejected' in read) return read;
  facts.requestedModel = read.model;
  facts.stream = read.stream;
  const options = callOptions(request.headers);
  if ('rejected' in options) return options;
  facts.tag = options.tag;

  const resolved = resolveModel(caller, read.model);
  if (resolved === null) return REFUSALS.unknownModel(read.model, modelsFor(caller));
  facts.routeLabel = resolved.label;
  facts.resolvedBy = resolved.resolvedBy;
  facts.complete = (options.commit ?? resolved.route.commit) === 'complete' && read.stream;
  if (resolved.route.tiers.length === 0) return REFUSALS.noTiers(resolved.label);
  const call = openCall(facts, resolved.route, read, options, request.headers, sink);
  if (!options.bypassReplay && caller.key.replay.enabled) place(call);
  return call;
}

/** Finds out where an answer to this request would be kept. */
function place(call: OpenCall): void {
  const { engine, caller, surface, route, request, requestBytes, requestHeaders } = call;
  call.replay = engine.replay.place({ caller, surface, route: routeMark(route), body: request.parsed, bodyBytes: requestBytes, bodyValues: request.scan.values, headers: requestHeaders, savers: call.savers });
  if (call.replay !== null) call.replayed = 'MISS';
}

/** A stored answer that this call may get: whoever insists on the first tier gets none of another one's. */
function findStored(call: OpenCall, place: ReplayPlace): Later<StoredAnswer | null> {
  const found = place.find();
  if (!call.firstTierOnly) return found;
  const own = (stored: StoredAnswer | null) => (stored?.origin.tier === 1 ? stored : null);
  return found instanceof Promise ? found.then(own) : own(found);
}

/** Why a body could not be read, by the doors' code. */
function bodyRefusal(code: string | undefined): Rejection | 'left' {
  if (code === 'unsupported_encoding') return REFUSALS.encoded();
  if (code === 'body_budget_exceeded') return REFUSALS.busy();
  if (code === 'body_share_exceeded') return REFUSALS.shareFull();
  if (code === 'body_stalled') return REFUSALS.slowBody();
  return 'left';
}
