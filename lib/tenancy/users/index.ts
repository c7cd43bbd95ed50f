export { networkPrefix } from './attempts';
export { changePassword } from './change-password';
export { normalEmail, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, passwordProblem } from './rules';
export { signIn } from './sign-in';
export { signUp, type SignUpInput } from './sign-up';
