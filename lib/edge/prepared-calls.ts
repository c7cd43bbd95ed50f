import { type ClientRequest, readRequest } from '../gateway/read-request';
import type { Replay, ReplayPlace, StoredAnswer } from '../replay';
import type { EdgeRequest } from './edge-request';
import type { Grant, GrantedModel } from './grant';
import type { rowText } from './row-text';

/** What follows from a grant and the bytes of a request: the same for the next one that has the same. */
export interface PreparedCall {
  read: ClientRequest;
  model: GrantedModel;
  /** Where the answer would be. Only to be looked at: nothing is kept from here. */
  place: ReplayPlace;
  /** The row of the last answer that was served for it. */
  row: { of: StoredAnswer; tag: string | null; text: ReturnType<typeof rowText> } | null;
}

/** Longer bodies are read anew each time. */
const MAX_BODY = 16 * 1024;
/** A grant. When there are more, all are forgotten: a few answers are asked for over and over, or none is. */
const MAX_KEPT = 256;

/** Reads requests, and remembers them for as long as their grant is the same. Null: not to be answered here. */
export function preparedCalls(replay: Replay): (request: EdgeRequest, grant: Grant) => PreparedCall | null {
  const known = new WeakMap<Grant, Map<string, PreparedCall | null>>();

  return (request, grant) => {
    if (request.body.length > MAX_BODY) return prepared(replay, request, grant);
    let calls = known.get(grant);
    if (calls === undefined) known.set(grant, (calls = new Map()));
    const sameAs = nameOf(request);
    let call = calls.get(sameAs);
    if (call === undefined) {
      call = prepared(replay, request, grant);
      if (calls.size >= MAX_KEPT) calls.clear();
      calls.set(sameAs, call);
    }
    return call;
  };
}

/** All that decides: the API, the headers that it counts, the body's own bytes. */
function nameOf({ surface, message, body }: EdgeRequest): string {
  let name = surface!.id as string;
  for (const header of surface!.answerHeaders ?? []) name += `\n${String(message.headers[header])}`;
  return `${name}\n${body.toString('latin1')}`;
}

function prepared(replay: Replay, { surface, message, body }: EdgeRequest, grant: Grant): PreparedCall | null {
  const read = readRequest(surface!, body);
  if ('rejected' in read || read.stream || !Object.hasOwn(grant.models, read.model)) return null;
  const model = grant.models[read.model]!;
  const place = replay.place({ caller: grant, surface: surface!, route: model.route, body: read.parsed, bodyBytes: body.length, bodyValues: read.scan.values, headers: message.headers, savers: grant.savers });
  return place === null ? null : { read, model, place, row: null };
}
