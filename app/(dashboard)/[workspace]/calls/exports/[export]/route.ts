import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { runtime } from '@/lib/boot';
import { exportFile } from '@/lib/management';
import { isRefusal } from '@/lib/std';

/** The file, for a link: the management API's download needs a header from members of several workspaces. */
export async function GET(_request: Request, { params }: { params: Promise<{ workspace: string; export: string }> }): Promise<Response> {
  const { workspace, export: id } = await params;
  const { actor } = await requireMember(workspace);
  const { tenancy } = await runtime();
  try {
    const { name, type, bytes, body } = await found(exportFile(tenancy, actor, id));
    return new Response(body, {
      headers: { 'content-type': type, 'content-length': String(bytes), 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'private, no-store' },
    });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return new Response(`${error.message}\n`, { status: 409, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' } });
  }
}
