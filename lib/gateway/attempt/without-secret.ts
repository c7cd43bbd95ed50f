import type { Failure } from '../../wire';

const GONE = '[removed]';
/** A shorter "key" is a placeholder, and would take words out of sentences. */
const SHORTEST = 6;

/** Text without this very credential: providers like to repeat the key that they refuse, whatever its shape. */
export function textWithoutSecret(text: string, secret: string | null): string {
  if (secret === null || secret.length < SHORTEST) return text;
  const clean = text.replaceAll(secret, GONE);
  // What was cut to length may end within the secret.
  for (let length = secret.length - 1; length >= SHORTEST; length--) {
    const begun = `${secret.slice(0, length)}…`;
    if (clean.endsWith(begun)) return clean.slice(0, -begun.length) + GONE;
  }
  return clean;
}

export function failureWithoutSecret(failure: Failure, secret: string | null): Failure {
  const { message, upstreamError: told } = failure;
  const clean = (text: string) => textWithoutSecret(text, secret);
  return {
    ...failure,
    message: clean(message),
    upstreamError: told && { message: clean(told.message), type: told.type && clean(told.type), code: told.code && clean(told.code), param: told.param && clean(told.param) },
  };
}
