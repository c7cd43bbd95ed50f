export { audit } from './audit';
export { listAuditEntries } from './list-audit-entries';
export { verifyAuditChain } from './verify';
