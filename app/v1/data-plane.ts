import { runtime } from '@/lib/boot';
import { handleWeb } from '@/lib/web-door';

/** Door one: the same engine behind Next's route handlers, wherever Next deploys. */
export async function dataPlane(request: Request): Promise<Response> {
  const { gateway, bodies } = await runtime();
  return handleWeb(request, gateway, bodies);
}
