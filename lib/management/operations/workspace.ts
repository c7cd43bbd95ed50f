import { checkAuditLog, listAuditEntries } from '../../tenancy/audit';
import { getWorkspace, updateWorkspace, whoAmI, workspaceBudgets, workspaceRates } from '../../tenancy';
import { operation } from '../operation';
import { auditCheck, auditEntry, auditQuery, budgetList, me, pageOf, rateList, workspace, workspaceUpdate } from '../schemas';

const tag = 'Workspace';

export const workspaceOperations = [
  operation({
    id: 'getMe', method: 'GET', path: '/me', tag, role: 'viewer', status: 200,
    summary: 'Who is asking',
    response: { name: 'Me', schema: me },
    run: ({ services, actor }) => whoAmI(services.tenancy, actor),
  }),
  operation({
    id: 'getWorkspace', method: 'GET', path: '/workspace', tag, role: 'viewer', status: 200,
    summary: 'Read the workspace',
    response: { name: 'Workspace', schema: workspace },
    run: ({ services, actor }) => getWorkspace(services.tenancy, actor),
  }),
  operation({
    id: 'updateWorkspace', method: 'PATCH', path: '/workspace', tag, role: 'admin', status: 200,
    summary: 'Edit the settings of the workspace',
    description: 'Holds within 5 s in every process.',
    body: workspaceUpdate, ifMatch: 'required', response: { name: 'Workspace', schema: workspace }, refusals: [409],
    run: ({ services, actor, body, revision }) => updateWorkspace(services.tenancy, actor, { revision: revision!, change: body }),
  }),
  operation({
    id: 'listWorkspaceBudgets', method: 'GET', path: '/workspace/budgets', tag, role: 'viewer', status: 200,
    summary: 'What is left of the workspace’s budgets',
    response: { name: 'BudgetList', schema: budgetList },
    run: ({ services, actor }) => workspaceBudgets(services.tenancy, actor),
  }),
  operation({
    id: 'listWorkspaceRates', method: 'GET', path: '/workspace/rates', tag, role: 'viewer', status: 200,
    summary: 'What is left of the workspace’s rates',
    response: { name: 'RateList', schema: rateList },
    run: ({ services, actor }) => workspaceRates(services.tenancy, services.standings, actor),
  }),
  operation({
    id: 'listAuditEntries', method: 'GET', path: '/audit', tag, role: 'admin', status: 200,
    summary: 'List changes',
    description: 'Who changed what, newest first. Rows carry a hash over themselves and the row before: the log can be checked.',
    query: auditQuery,
    response: { name: 'AuditPage', schema: pageOf(auditEntry, 'A page of the log, newest first.') },
    run: ({ services, actor, query }) => listAuditEntries(services.tenancy, actor, query),
  }),
  operation({
    id: 'checkAuditLog', method: 'GET', path: '/audit/check', tag, role: 'admin', status: 200,
    summary: 'Check the log',
    description: 'Reads the whole log and compares each entry with its hash and with the one before it.',
    response: { name: 'AuditCheck', schema: auditCheck },
    run: ({ services, actor }) => checkAuditLog(services.tenancy, actor),
  }),
];
