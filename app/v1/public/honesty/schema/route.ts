import { runtime } from '@/lib/boot';
import { notAllowed, preflight, publicJson } from '../../public-json';

export const dynamic = 'force-dynamic';

/** JSON Schema 2020-12 of the honesty document. */
export async function GET(request: Request): Promise<Response> {
  const { claims } = await runtime();
  return publicJson(request, claims.schema(), 3600, 'application/schema+json');
}

export const OPTIONS = preflight;
const other = notAllowed('GET');
export { other as POST, other as PUT, other as PATCH, other as DELETE };
