export { acceptInvite } from './accept-invite';
export { changeInvite } from './change-invite';
export { createInvite, type InviteServices } from './create-invite';
export { listInvites } from './list-invites';
export { lookAtInvite, type InviteOffer } from './look-at-invite';
export { revokeInvite } from './revoke-invite';
export { INVITE_DAYS, MAX_INVITES } from './rows';
