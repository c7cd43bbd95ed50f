import { catalogDocument } from '@/lib/catalog';
import { preflight, publicJson } from '../public-json';

export const dynamic = 'force-dynamic'; // prices have a moment

/** The catalog: every model that can be named, with its abilities and what it costs now. Described on /models. */
export function GET(request: Request): Response {
  return publicJson(request, catalogDocument(Date.now()), 300);
}

export const OPTIONS = preflight;
