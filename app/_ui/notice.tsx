import { Ban, Check, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './class-names';

const LOOK = {
  info: { className: 'border-info/40 bg-info-soft', iconClass: 'text-info', Icon: Info },
  good: { className: 'border-good/40 bg-good-soft', iconClass: 'text-good', Icon: Check },
  warning: { className: 'border-warning/40 bg-warning-soft', iconClass: 'text-warning', Icon: TriangleAlert },
  danger: { className: 'border-danger/40 bg-danger-soft', iconClass: 'text-danger', Icon: Ban },
} as const;

/** What happened, what it means, what to do. `live` announces it when it appears. */
export function Notice({ tone = 'info', title, live, action, className, children }: {
  tone?: keyof typeof LOOK; title?: ReactNode; live?: boolean; action?: ReactNode; className?: string; children?: ReactNode;
}) {
  const { className: look, iconClass, Icon } = LOOK[tone];
  return (
    <div {...(live ? { role: tone === 'danger' ? 'alert' : 'status' } : {})} className={cx('flex gap-2.5 rounded-lg border p-3 text-sm', look, className)}>
      <Icon aria-hidden size={16} className={cx('mt-0.5 shrink-0', iconClass)} />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-medium">{title}</p> : null}
        {children ? <div className={cx(title && 'mt-0.5')}>{children}</div> : null}
        {action ? <div className="mt-2">{action}</div> : null}
      </div>
    </div>
  );
}

/** Nothing here yet: says why, and the one next step. */
export function Empty({ title, children, action }: { title: ReactNode; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong p-6 text-sm">
      <p className="font-medium">{title}</p>
      {children ? <div className="mt-1 max-w-xl text-muted">{children}</div> : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}
