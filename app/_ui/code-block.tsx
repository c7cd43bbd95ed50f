import type { ReactNode } from 'react';
import { cx } from './class-names';
import { CopyButton } from './copy-button';

/** Code or wire text with a copy button. `children` may mark the text up; `text` is what is copied. */
export function CodeBlock({ text, title, wrap, className, children }: { text: string; title?: ReactNode; wrap?: boolean; className?: string; children?: ReactNode }) {
  return (
    <div className={cx('min-w-0 overflow-hidden rounded-lg border border-line bg-sunken', className)}>
      <div className="flex min-h-9 items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3 text-xs text-muted">
        <span className="min-w-0 truncate">{title}</span>
        <CopyButton text={text} variant="quiet" />
      </div>
      <pre tabIndex={0} className={cx('overflow-x-auto p-3 text-xs leading-relaxed -outline-offset-2', wrap && 'break-all whitespace-pre-wrap')}>
        <code className="text-[0.8125rem]">{children ?? text}</code>
      </pre>
    </div>
  );
}

/** An id, a model, a header: mono, one unit. It breaks only where it could not fit a line of its own; an id may be told to `break-all`. */
export function Mono({ children, className }: { children: ReactNode; className?: string }) {
  return <code className={cx('font-mono text-[0.94em] break-words', className)}>{children}</code>;
}
