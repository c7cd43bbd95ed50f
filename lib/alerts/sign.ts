import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks, version 1: HMAC-SHA-256 over id, time and body, joined by dots. */

/** A new secret, 256 random bits: `whsec_` and base64. */
export const newWebhookSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** `secrets`: the present one first, then the one before it while that still holds. `timestampS`: seconds since the epoch. */
export function webhookHeaders(id: string, timestampS: number, body: string, secrets: string[]): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, `${id}.${timestampS}.${body}`)}`).join(' '),
  };
}

const PREFIX = 'whsec_';

function signature(secret: string, signed: string): string {
  return createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64')).update(signed).digest('base64');
}
