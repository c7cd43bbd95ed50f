export { createManagementKey } from './create-management-key';
export { deleteManagementKey } from './delete-management-key';
export { findManagementActor } from './find-management-actor';
export { listManagementKeys } from './list-management-keys';
