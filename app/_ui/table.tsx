import type { ComponentProps, ReactNode } from 'react';
import { cx } from './class-names';

/**
 * Dense table. The only place of a page that may scroll sideways: the wrapper is focusable so that
 * the keyboard can scroll it. `caption` names it for screen readers.
 */
export function Table({ caption, children, className }: { caption: string; children: ReactNode; className?: string }) {
  return (
    <div role="region" aria-label={`${caption}, table`} tabIndex={0} className={cx('relative overflow-x-auto rounded-lg border border-line bg-surface', className)}>
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}

export function THead({ children }: { children: ReactNode }) {
  return <thead className="border-b border-line bg-sunken text-xs text-muted"><tr>{children}</tr></thead>;
}

export function TBody({ children }: { children: ReactNode }) {
  return <tbody className="divide-y divide-line">{children}</tbody>;
}

export function TRow({ className, ...rest }: ComponentProps<'tr'>) {
  return <tr {...rest} className={cx('hover:bg-hover', className)} />;
}

/** Column header. The unit stands here, once. `figure` aligns with the numbers below. */
export function Th({ figure, unit, sort, className, children, ...rest }: ComponentProps<'th'> & {
  figure?: boolean; unit?: string; sort?: 'ascending' | 'descending' | undefined;
}) {
  return (
    <th scope="col" {...rest} aria-sort={sort} className={cx('px-3 py-2 text-left font-medium whitespace-nowrap', figure && 'text-right', className)}>
      {children}
      {unit ? <span className="font-normal"> ({unit})</span> : null}
    </th>
  );
}

/** A cell of names that people choose: one long word breaks instead of pushing every other column out of sight. */
export function TdName({ children, ...rest }: ComponentProps<'td'>) {
  return <Td {...rest}><div className="w-fit max-w-40 break-words whitespace-normal sm:max-w-56">{children}</div></Td>;
}

export function Td({ figure, className, ...rest }: ComponentProps<'td'> & { figure?: boolean }) {
  return <td {...rest} className={cx('px-3 py-1.5 align-middle', figure && 'figure', className)} />;
}
