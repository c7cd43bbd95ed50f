export { audit } from './audit';
export { checkAuditLog } from './check-audit-log';
export { listAuditEntries } from './list-audit-entries';
export { peopleInEntries } from './people-in-entries';
export { verifyAuditChain } from './verify';
