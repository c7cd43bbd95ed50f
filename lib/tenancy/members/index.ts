export { addMember } from './add-member';
export { changeRole } from './change-role';
export { listMembers } from './list-members';
export { removeMember } from './remove-member';
