import type { CallRequest, Sink } from '../gateway/ports';
import type { BodyBudget } from '../server/body-budget';
import { webRequest } from './web-request';
import { webSink } from './web-sink';

/**
 * Door one: a web Request in, a web Response out, over the same engine as the node server's.
 * Works wherever Next deploys. Rejects only when the engine itself does. `bodies` bounds what all requests hold together;
 * null where the host does.
 */
export async function handleWeb(request: Request, gateway: { handle(request: CallRequest, sink: Sink): Promise<void> }, bodies: BodyBudget | null = null): Promise<Response> {
  const { sink, response } = webSink(request.signal);
  const asked = webRequest(request, bodies);
  const handled = gateway.handle(asked, sink).finally(asked.release);
  return await Promise.race([response, handled.then(() => response)]);
}
