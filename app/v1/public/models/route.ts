import { catalogDocument } from '@/lib/catalog';
import { notAllowed, preflight, publicJson } from '../public-json';

export const dynamic = 'force-dynamic'; // prices have a moment

/** The catalog: every model that can be named, with its abilities and what it costs now. Described on /models. */
export function GET(request: Request): Response {
  return publicJson(request, catalogDocument(Date.now()), 300);
}

export const OPTIONS = preflight;
const other = notAllowed('GET');
export { other as POST, other as PUT, other as PATCH, other as DELETE };
