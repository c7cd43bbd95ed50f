import type { KeyView } from '@/lib/management/schemas';
import { Chip, type Tone } from '@/app/_ui';

const SOON_MS = 14 * 24 * 3600_000;

/** Also "expiring" for an active key whose last 14 days have begun. */
export function KeyStateChip({ value, nowMs }: { value: Pick<KeyView, 'state' | 'expires_at'>; nowMs: number }) {
  const expiring = value.state === 'active' && value.expires_at !== null && Date.parse(value.expires_at) - nowMs < SOON_MS;
  const word = expiring ? 'expiring' : value.state;
  return <Chip tone={TONES[word]}>{word}</Chip>;
}

const TONES = { active: 'good', expiring: 'warning', disabled: 'off', expired: 'danger' } as const satisfies Record<KeyView['state'] | 'expiring', Tone>;
