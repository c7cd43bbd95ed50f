import { runtime } from '@/lib/boot';
import { notAllowed, preflight, publicJson } from '../public-json';

export const dynamic = 'force-dynamic';

/** The claims with their evidence. */
export async function GET(request: Request): Promise<Response> {
  const { claims } = await runtime();
  return publicJson(request, await claims.document(), 10);
}

export const OPTIONS = preflight;
const other = notAllowed('GET');
export { other as POST, other as PUT, other as PATCH, other as DELETE };
