import { runtime } from '@/lib/boot';
import { isRefusal } from '@/lib/std';
import { momentaryJson, notAllowed, preflight } from '../../public-json';

export const dynamic = 'force-dynamic';

/** Runs the probes now; answers with the document when they are done, or 429 when they ran a moment ago. */
export async function POST(): Promise<Response> {
  const { claims } = await runtime();
  try {
    return momentaryJson(200, await claims.runNow());
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'rate_limited') throw error;
    const retryAfter = String(error.retryAfterS ?? 30);
    return momentaryJson(429, { error: { message: error.message, type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null } }, { 'retry-after': retryAfter });
  }
}

export const OPTIONS = preflight;
const other = notAllowed('POST');
export { other as GET, other as PUT, other as PATCH, other as DELETE };
