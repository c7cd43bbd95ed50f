import { runtime } from '@/lib/boot';
import { preflight, publicJson } from '../public-json';

export const dynamic = 'force-dynamic';

/** The claims with their evidence. */
export async function GET(request: Request): Promise<Response> {
  const { claims } = await runtime();
  return publicJson(request, await claims.document(), 10);
}

export const OPTIONS = preflight;
