export { BOUNDS } from './attempt/bounds';
export type { Engine } from './engine';
export { createGateway, type Gateway } from './gateway';
export { authenticate } from './handle-call';
export { createHeldBytes, type HeldBytes, type Holder } from './held-bytes';
export { DependencyUnavailable } from './ports';
export { type CandidateReadiness, type Hindrance, type Readiness, readinessOf, type RouteReadiness, type TierReadiness } from './readiness';
