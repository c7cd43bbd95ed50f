export { bringUp, PortTaken, type BroughtUp } from './bring-up';
export { startPostgres, type EmbeddedPostgres } from './postgres';
