export { createClaims, type Claims, type ClaimsOptions } from './claims';
export { honestyDocument, type ClaimView, type HonestyDocument } from './document';
export type { PublicStatus } from './public-status';
export type { Dependency, DependencyState, Readiness } from './readiness';
export { CLAIMS, type Claim } from './registry';
export type { ClaimStatus, Measurement, ProbeResult } from './status';
export { SYSTEM_WORKSPACE } from './store';
