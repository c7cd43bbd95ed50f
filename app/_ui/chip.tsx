import { AlertTriangle, Ban, Check, Circle, CircleDashed, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './class-names';

export type Tone = 'neutral' | 'good' | 'warning' | 'danger' | 'info' | 'off' | 'accent';

const LOOK: Record<Tone, { className: string; Icon: typeof Check }> = {
  neutral: { className: 'border-line text-muted', Icon: Circle },
  good: { className: 'border-transparent bg-good-soft text-good', Icon: Check },
  warning: { className: 'border-transparent bg-warning-soft text-warning', Icon: AlertTriangle },
  danger: { className: 'border-transparent bg-danger-soft text-danger', Icon: Ban },
  info: { className: 'border-transparent bg-info-soft text-info', Icon: Info },
  off: { className: 'border-line border-dashed text-muted', Icon: CircleDashed },
  accent: { className: 'border-transparent bg-accent-soft text-accent', Icon: Circle },
};

/** A word with a tone and an icon, for what is not a call's state: key states, health, claims. */
export function Chip({ tone = 'neutral', icon = true, className, children }: { tone?: Tone; icon?: boolean; className?: string; children: ReactNode }) {
  const { className: look, Icon } = LOOK[tone];
  return (
    <span className={cx('inline-flex items-center gap-1 rounded border px-1.5 py-px text-xs font-medium whitespace-nowrap', look, className)}>
      {icon ? <Icon aria-hidden size={12} strokeWidth={2.25} /> : null}
      {children}
    </span>
  );
}
