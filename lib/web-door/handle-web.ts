import type { CallRequest, Sink } from '../gateway/ports';
import { webRequest } from './web-request';
import { webSink } from './web-sink';

/**
 * Door one: a web Request in, a web Response out, over the same engine as the node server's.
 * Works wherever Next deploys. Rejects only when the engine itself does.
 */
export async function handleWeb(request: Request, gateway: { handle(request: CallRequest, sink: Sink): Promise<void> }): Promise<Response> {
  const { sink, response } = webSink(request.signal);
  return await Promise.race([response, gateway.handle(webRequest(request), sink).then(() => response)]);
}
