export { bringUp, type BroughtUp } from './bring-up';
export { PortTaken } from './port';
export { endStart, log, StartFailure } from './start-failure';
export { startPostgres, type EmbeddedPostgres } from './postgres';
