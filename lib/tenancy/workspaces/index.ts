export { createWorkspace } from './create-workspace';
export { listMemberships, type Membership } from './list-memberships';
