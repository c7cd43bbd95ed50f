import { clientOf } from '@/app/_auth/client';
import { runtime } from '@/lib/boot';
import { createRateLimit } from '@/lib/management';
import { createMcp, type Mcp } from '@/lib/mcp';
import { systemClock } from '@/lib/std';
import { networkPrefix } from '@/lib/tenancy';

export const dynamic = 'force-dynamic';

const REQUESTS_PER_MINUTE = 600;
const QUESTIONS_PER_MINUTE = 60;

let mcp: Mcp | null = null;

/** The Model Context Protocol, for agents: one tool, `ohm_providers`. */
async function answer(request: Request): Promise<Response> {
  const { engine, env } = await runtime();
  mcp ??= createMcp({ engine, limits: { network: createRateLimit(systemClock, REQUESTS_PER_MINUTE), key: createRateLimit(systemClock, QUESTIONS_PER_MINUTE) } });
  const { address } = clientOf(request.headers, env.trustedProxies);
  return await mcp.answer(request, address && networkPrefix(address));
}

export { answer as GET, answer as POST, answer as PUT, answer as PATCH, answer as DELETE, answer as OPTIONS };
