import { requireMember } from '@/app/_auth/session';
import { readProgress } from '../_onboarding/read';

/** The checklist as JSON: the overview asks for it until the first call is in. */
export async function GET(_request: Request, { params }: { params: Promise<{ workspace: string }> }): Promise<Response> {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  return Response.json(await readProgress(actor), { headers: { 'cache-control': 'private, no-store' } });
}
