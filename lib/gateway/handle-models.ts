import { modelsFor } from '../routing';
import { newId } from '../std';
import { isBadQuery, modelListOf, surfaceSpokenBy } from '../surfaces';
import type { Engine } from './engine';
import { authenticate } from './handle-call';
import type { CallRequest, Sink } from './ports';
import { REFUSALS, type Rejection, rejection } from './rejection';
import { sendRejection } from './respond';

/** Lists exactly what the calling key can use, in a stable order, in the shape of the client's own API. `id` asks for one. */
export async function handleModels(engine: Engine, request: CallRequest, id: string, sink: Sink): Promise<void> {
  const requestId = newId('req'); // no call, and no row
  const surface = surfaceSpokenBy(request.headers);
  const refuse = (refused: Rejection) => sendRejection(sink, surface, requestId, refused, null);
  const caller = await authenticate(engine, request);
  if ('rejected' in caller) return refuse(caller);
  const names = modelsFor(caller);
  const shape = modelListOf(surface.dialect);
  if (id === '') {
    const page = shape.list(names, new URLSearchParams(request.query));
    return isBadQuery(page) ? refuse(rejection(400, { type: 'invalid_request_error', code: 'invalid_request', ...page })) : send(sink, requestId, page);
  }
  const name = decoded(id);
  if (name === null || !names.includes(name)) return refuse(REFUSALS.unknownModel(name ?? id, names));
  send(sink, requestId, shape.one(name));
}

function send(sink: Sink, requestId: string, document: object): void {
  const body = JSON.stringify(document);
  sink.head(200, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'private, no-store',
    'x-ohm-request-id': requestId,
  });
  sink.write(body);
  sink.end();
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null; // a broken escape names no model
  }
}
