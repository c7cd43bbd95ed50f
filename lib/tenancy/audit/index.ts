export { audit } from './audit';
export { listAudit } from './list-audit';
export { verifyAuditChain } from './verify';
