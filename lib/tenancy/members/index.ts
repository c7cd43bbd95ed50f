export { changeRole } from './change-role';
export { countKeysMade, type KeysMade } from './disable-keys-of';
export { listMembers } from './list-members';
export { removeMember } from './remove-member';
