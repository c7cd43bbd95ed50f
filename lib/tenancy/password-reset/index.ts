export { operatorReset, type OperatorReset } from './operator-reset';
export { requestReset, type ResetServices } from './request-reset';
export { lookAtReset, resetPassword } from './reset-password';
export { RESET_MINUTES } from './rows';
