export { connectionId, connectionNames } from './connection-names';
export { createConnection } from './create-connection';
export { deleteConnection } from './delete-connection';
export { getConnection } from './get-connection';
export { listConnections } from './list-connections';
export { readConnectionConfig } from './read-connection-config';
export { updateConnection } from './update-connection';
