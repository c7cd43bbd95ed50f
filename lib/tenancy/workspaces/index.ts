export { createWorkspace } from './create-workspace';
export { getWorkspace } from './get-workspace';
export { listMemberships, type Membership } from './list-memberships';
export { updateWorkspace } from './update-workspace';
