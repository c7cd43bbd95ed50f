'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './class-names';

interface DialogProps {
  open: boolean;
  /** Called when the person closes it. With `locked` only the content's own buttons close it. */
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Neither Escape nor a click outside closes it, and there is no cross. */
  locked?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/** Modal: the focus is trapped inside and returns to where it was. Its content leaves the DOM when closed. */
export function Dialog({ open, onOpenChange, title, description, locked, wide, children }: DialogProps) {
  const stay = locked ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Radix.Root open={open} onOpenChange={(next) => (next || !locked ? onOpenChange(next) : undefined)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[oklch(0.15_0.01_60/0.55)]" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onEscapeKeyDown={stay}
          onPointerDownOutside={stay}
          onInteractOutside={stay}
          className={cx(
            'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-lg border border-line bg-surface p-5 shadow-xl',
            wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <Radix.Title className="pr-8 text-base font-semibold">{title}</Radix.Title>
          {description ? <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description> : null}
          <div className="mt-4">{children}</div>
          {locked ? null : (
            <Radix.Close aria-label="Close" className="absolute top-3 right-3 grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-text">
              <X aria-hidden size={16} />
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Buttons at the foot of a dialog or a form; the one that acts comes last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
