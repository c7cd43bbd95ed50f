export { audit } from './audit';
export { checkAuditLog } from './check-audit-log';
export { listAuditEntries } from './list-audit-entries';
export { verifyAuditChain } from './verify';
