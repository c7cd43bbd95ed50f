export { memoryStore } from './memory';
export { openStore, storePorts } from './open-store';
export { isStoreUnavailable, type Cells, type Later, type Script, type Store, type StoreKind, STORE_BOUND_MS } from './store';
