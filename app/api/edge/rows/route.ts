import { runtime } from '@/lib/boot';

export const dynamic = 'force-dynamic';

/** Ledger rows from an edge of this installation, which proves by a signature that it is one. */
export async function POST(request: Request): Promise<Response> {
  const { takeEdgeRows } = await runtime();
  return await takeEdgeRows(request);
}
