export { bringUp, type BroughtUp } from './bring-up';
export { PortTaken } from './port';
export { StartFailure, startFailure } from './start-failure';
export { startPostgres, type EmbeddedPostgres } from './postgres';
