export { ROLES, type Actor, type Role } from './actor';
export { audit, verifyAuditChain } from './audit';
export { SealBroken, type Keyring } from './keyring';
export { createTenancy, type Tenancy, type TenancyOptions } from './tenancy';
export { hashToken, issueToken, isWellFormedToken, type IssuedToken, type TokenKind } from './token';
