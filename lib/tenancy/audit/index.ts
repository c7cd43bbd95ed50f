export { audit } from './audit';
export { verifyAuditChain } from './verify';
