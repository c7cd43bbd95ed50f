export { BOUNDS } from './attempt/bounds';
export type { Engine } from './engine';
export { createGateway, type Gateway } from './gateway';
export { createHeldBytes, type HeldBytes } from './held-bytes';
export { DependencyUnavailable } from './ports';
