import Link from 'next/link';
import type { ButtonHTMLAttributes, ComponentProps, Ref } from 'react';
import { cx } from './class-names';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';
type Size = 'md' | 'sm' | 'icon';

const BASE =
  'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55';

const VARIANT: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-text hover:bg-hover',
  quiet: 'text-text hover:bg-hover',
  danger: 'border border-danger text-danger bg-surface hover:bg-danger-soft',
};

const SIZE: Record<Size, string> = {
  md: 'min-h-9 px-3.5 text-sm',
  sm: 'min-h-7 px-2.5 text-xs',
  icon: 'size-8 shrink-0', // needs an aria-label
};

export const buttonClass = (variant: Variant = 'secondary', size: Size = 'md', extra?: string): string =>
  cx(BASE, VARIANT[variant], SIZE[size], extra);

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: Variant;
  size?: Size;
  /** Shown instead of the label while the action runs; the button is then inert but keeps the focus. */
  busy?: string | false;
  ref?: Ref<HTMLButtonElement>;
}

/** The label says what will happen: "Issue key", not "Submit". */
export function Button({ variant, size, busy = false, className, children, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy ? true : rest['aria-disabled']}
      aria-busy={busy ? true : undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClass(variant, size, className)}
    >
      {busy || children}
    </button>
  );
}

export function LinkButton({ variant, size, className, ...rest }: ComponentProps<typeof Link> & { variant?: Variant; size?: Size }) {
  return <Link {...rest} className={buttonClass(variant, size, className)} />;
}
