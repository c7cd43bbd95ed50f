import { useId, type ReactNode } from 'react';
import { cx } from './class-names';

/** The page's one h1, a sentence, and what can be done here. */
export function PageHeader({ title, lead, actions, children }: { title: ReactNode; lead?: ReactNode; actions?: ReactNode; children?: ReactNode }) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="text-lg font-semibold tracking-tight">{title}</h1>
        {lead ? <p className="mt-1 max-w-2xl text-sm text-muted">{lead}</p> : null}
        {children}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
    </header>
  );
}

/** A named region of a page. `bare`: no box, for tables and lists that draw their own. */
export function Section({ title, lead, actions, bare, className, children }: {
  title: ReactNode; lead?: ReactNode; actions?: ReactNode; bare?: boolean; className?: string; children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cx('mb-6', className)}>
      <div className="mb-2 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="text-sm font-semibold">{title}</h2>
          {lead ? <p className="max-w-2xl text-xs text-muted">{lead}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
      {bare ? children : <Card>{children}</Card>}
    </section>
  );
}

export function Card({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cx('rounded-lg border border-line bg-surface p-4', className)}>{children}</div>;
}

/** Name and value pairs; collapses to one column on narrow screens. */
export function Facts({ items, className }: { items: { name: ReactNode; value: ReactNode }[]; className?: string }) {
  return (
    <dl className={cx('grid grid-cols-1 gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]', className)}>
      {items.map((item, index) => (
        <div key={index} className="contents">
          <dt className="text-muted">{item.name}</dt>
          <dd className="mb-1 min-w-0 sm:mb-0">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
