import { currentSession } from '@/app/_auth/session';
import { runtime } from '@/lib/boot';
import { createDoor, operationsAt, type SessionLookup } from '@/lib/management';
import { Refusal } from '@/lib/std';
import { listMemberships } from '@/lib/tenancy/workspaces';

/** The person behind the dashboard's cookie, in the workspace that X-Ohm-Workspace names, or in the only one there is. */
const session: SessionLookup = async (_request, workspace) => {
  const current = await currentSession();
  if (current === null) return 'signed_out';
  const { tenancy } = await runtime();
  const memberships = await listMemberships(tenancy, current.user.id);
  const chosen = workspace === null ? memberships : memberships.filter((entry) => entry.workspace.slug === workspace || entry.workspace.id === workspace);
  const [only, ...others] = chosen;
  if (only === undefined) throw new Refusal('not_found', 'There is no such workspace among yours.');
  if (others.length > 0) throw new Refusal('invalid', 'You are in several workspaces: name one in X-Ohm-Workspace.', [{ field: 'X-Ohm-Workspace', message: 'is required for a member of several workspaces' }]);
  return { kind: 'user', id: current.user.id, workspaceId: only.workspace.id, role: only.role };
};

const door = createDoor({ services: runtime, session });

/** The handlers of one path of the management API, e.g. `/routes/{id}`. */
export const resource = (path: string) => door.resource(operationsAt(path));

export const notFound = door.notFound;
