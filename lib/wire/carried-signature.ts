import type { SignatureEvent } from './stream-event';

/**
 * A signature of one wire inside the opaque `encrypted_content` of another dialect's reasoning item: clients send
 * that back unread, and only so can a provider's thinking survive to the next turn. The mark tells it from content
 * that the dialect's own provider encrypted.
 */
export const CARRIED_MARK = 'ohm-v1:';

export const carrySignature = ({ kind, format, data }: Pick<SignatureEvent, 'kind' | 'format' | 'data'>): string => `${CARRIED_MARK}${kind}:${format}:${data}`;

/** What `carrySignature` packed; null for anything else. */
export function carriedSignature(text: string): Pick<SignatureEvent, 'kind' | 'format' | 'data'> | null {
  const found = CARRIED.exec(text);
  return found === null ? null : { kind: found[1] as SignatureEvent['kind'], format: found[2]!, data: text.slice(found[0].length) };
}

const CARRIED = /^ohm-v1:(signature|encrypted):([^:]{1,64}):/;
