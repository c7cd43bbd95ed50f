export { openDatabase, type Database, type OpenDatabaseOptions, type Queries, type Tx } from './database';
export { constraintViolated } from './errors';
export { markEdit, withWorkspace } from './with-workspace';
