import { modelsFor } from '../routing';
import { newId } from '../std';
import { chatCompletions } from '../surfaces';
import type { Engine } from './engine';
import { authenticate } from './handle-call';
import type { CallRequest, Sink } from './ports';
import { REFUSALS } from './rejection';
import { sendRejection } from './respond';

/** Lists exactly what the calling key can use, in a stable order, in OpenAI's shape. `id` asks for one. */
export async function handleModels(engine: Engine, request: CallRequest, id: string, sink: Sink): Promise<void> {
  const requestId = newId('call');
  const caller = await authenticate(engine, request);
  if ('rejected' in caller) return sendRejection(sink, chatCompletions, requestId, caller, null);
  const names = modelsFor(caller);
  if (id === '') return send(sink, requestId, { object: 'list', data: names.map(model) });
  const name = decoded(id);
  if (name === null || !names.includes(name)) return sendRejection(sink, chatCompletions, requestId, REFUSALS.unknownModel(name ?? id, names), null);
  send(sink, requestId, model(name));
}

/** Routes and direct models have no birthday of their own: `created` is the epoch. */
const model = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'ohm' });

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
