import { OPERATIONS } from '@/lib/management';
import type { Role } from '@/lib/tenancy/actor';

/** What a role may do, in a person's words, and the operations of the management API that it means. */
const RIGHTS: { what: string; operations: string[]; /** Where no operation says it. */ least?: Role }[] = [
  {
    what: 'See connections, models, routes, keys, calls, usage, savings, alerts and members',
    operations: [
      'getMe', 'getWorkspace', 'listConnections', 'getConnection', 'listPrices', 'listRoutes', 'getRoute', 'listRouteVersions', 'listKeys', 'getKey', 'listKeyBudgets', 'listKeyRates',
      'listWorkspaceBudgets', 'listWorkspaceRates', 'listCalls', 'getCall', 'getUsage', 'getSavings', 'listAlerts', 'getAlert', 'listAlertEvents', 'listChannels', 'listDeliveries', 'listMembers',
    ],
  },
  { what: 'Export calls', operations: ['listExports', 'createExport', 'getExport', 'downloadExport', 'deleteExport'] },
  { what: 'Leave', operations: ['removeMember'] },
  { what: 'Issue, edit, rotate and revoke API keys', operations: ['createKey', 'updateKey', 'rotateKey', 'deleteKey'] },
  { what: 'Try connections and routes', operations: ['testConnection', 'testRoute'] },
  { what: 'Edit alerts, try them, send messages again', operations: ['createAlert', 'updateAlert', 'deleteAlert', 'testAlert', 'resendDelivery'] },
  { what: 'Read texts that are kept; forget them and stored answers', operations: ['getCallTexts', 'purgeTexts', 'purgeReplay'] },
  { what: 'Edit connections and state prices', operations: ['createConnection', 'updateConnection', 'deleteConnection', 'setPrice', 'deletePrice'] },
  { what: 'Edit routes', operations: ['createRoute', 'updateRoute', 'restoreRoute', 'deleteRoute'] },
  { what: 'Edit the channels of alerts', operations: ['createChannel', 'updateChannel', 'rotateChannel', 'deleteChannel'] },
  { what: 'Invite people; change roles and remove members, owners aside', operations: ['listInvites', 'createInvite', 'updateInvite', 'deleteInvite', 'updateMember'] },
  { what: 'Issue and revoke management keys of at most their own role', operations: ['listManagementKeys', 'createManagementKey', 'deleteManagementKey'] },
  { what: 'Edit the workspace’s name and limits; read the audit log', operations: ['updateWorkspace', 'listAuditEntries', 'checkAuditLog'] },
  { what: 'Make owners, change and remove them', operations: [], least: 'owner' },
];

export interface Right {
  what: string;
  least: Role;
}

/** The rows of the table, with the least role of each as the door holds it. A test sees to it that no operation is left out. */
export const rights = (): Right[] => RIGHTS.map(({ what, operations, least }) => ({ what, least: least ?? roleOf(operations[0]!) }));

export const rightOperations = (): string[][] => RIGHTS.map(({ operations }) => operations);

function roleOf(id: string): Role {
  const operation = OPERATIONS.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return operation.role;
}
