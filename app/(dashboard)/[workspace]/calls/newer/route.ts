import { requireMember } from '@/app/_auth/session';
import { runtime } from '@/lib/boot';
import { findCall, listCalls } from '@/lib/metering';
import { queryOf, readFilters } from '../_components/filters';

const MOST = 100;

/** How many calls came after the one named by `cursor`, under the filters of the address: `{ count, capped }`. */
export async function GET(request: Request, { params }: { params: Promise<{ workspace: string }> }): Promise<Response> {
  const { workspace } = await params;
  const { actor } = await requireMember(workspace);
  const { ledger } = await runtime();
  const search = Object.fromEntries(new URL(request.url).searchParams);
  const { cursor: newestId, ...filters } = readFilters(search);
  const newest = newestId === undefined ? undefined : await findCall(ledger, actor.workspaceId, newestId);
  const query = queryOf(filters, Date.now());
  const page = await listCalls(ledger, actor.workspaceId, { ...query, from: newest?.created_at ?? query.from, limit: MOST, cursor: undefined });
  // Several calls may share the newest one's millisecond: the list's own order tells which are above it.
  const above = newest === undefined ? page.data : page.data.slice(0, indexOrEnd(page.data.findIndex((call) => call.id === newest.id), page.data.length));
  return Response.json({ count: above.length, capped: above.length === MOST }, { headers: { 'cache-control': 'private, no-store' } });
}

function indexOrEnd(index: number, end: number): number {
  return index === -1 ? end : index;
}
