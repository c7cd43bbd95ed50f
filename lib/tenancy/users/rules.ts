import { Refusal } from '../../std';

export const PASSWORD_MIN_LENGTH = 12;
/** Passphrases fit; a megabyte to hash does not. */
export const PASSWORD_MAX_LENGTH = 256;

/** Trimmed and lower case, as it is stored and compared. Refuses what is no address. */
export function normalEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (email.length > 254 || !/^[^\s@<>()[\],:;"\\\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u.test(email)) {
    throw new Refusal('invalid', 'That is not an e-mail address.', [{ field: 'email', message: 'is not an e-mail address' }]);
  }
  return email;
}

/** Same text, same bytes, however a keyboard composes its accents. */
export const normalPassword = (text: string): string => text.normalize('NFKC');

/** Why a new password cannot be taken, or null. Length and guessability only: no rules about kinds of characters. */
export function passwordProblem(text: string, email: string): string | null {
  const problem = passwordLengthProblem(text);
  if (problem !== null) return problem;
  const plain = normalPassword(text).toLowerCase();
  const local = email.split('@')[0]!;
  if (plain === email || plain === local || (local.length >= 4 && withoutDigits(plain) === withoutDigits(local))) return 'must not be the e-mail address';
  if (isCommon(plain)) return 'is one of the first that an attacker would try; choose another';
  return null;
}

/** Of the length alone: what not even the operator may choose for somebody. */
export function passwordLengthProblem(text: string): string | null {
  const { length } = [...normalPassword(text)];
  if (length < PASSWORD_MIN_LENGTH) return `must have at least ${PASSWORD_MIN_LENGTH} characters`;
  return length > PASSWORD_MAX_LENGTH ? `must have at most ${PASSWORD_MAX_LENGTH} characters` : null;
}

/** Throws Refusal('invalid') that names the member. */
export function checkNewPassword(text: string, email: string, field = 'password'): void {
  const problem = passwordProblem(text, email);
  if (problem) throw new Refusal('invalid', `The password ${problem}.`, [{ field, message: problem }]);
}

const withoutDigits = (text: string): string => text.replace(/[\d\W_]+$/u, '');

/** Words that common passwords are made of: one of them, repeated or dressed with digits and signs, is common too. */
const WORDS =
  /^(?:password|passw0rd|p@ssword|p@ssw0rd|passwort|letmein|welcome|iloveyou|admin|administrator|root|user|login|qwerty|qwertz|azerty|qwertyuiop|asdfghjkl|zxcvbnm|abc|abcdef|monkey|dragon|football|baseball|sunshine|princess|master|shadow|superman|batman|trustno|whatever|changeme|secret|default|test|testing|hello|starwars|computer|internet|ohm|gateway)+$/;
const RUNS = ['01234567890123456789', '98765432109876543210', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn', '1q2w3e4r5t6y7u8i9o0p'];

function isCommon(plain: string): boolean {
  if (new Set(plain).size < 4) return true; // aaaaaaaaaaaa, 121212121212
  const core = plain.replace(/^[\d\W_]+|[\d\W_]+$/gu, '');
  if (core !== '' && WORDS.test(core)) return true; // password1234!, adminadminadmin
  if (RUNS.some((run) => run.includes(plain) || run.repeat(2).includes(plain))) return true; // 1234567890123
  return /^(.{1,6})\1+$/u.test(plain); // abc123abc123
}
