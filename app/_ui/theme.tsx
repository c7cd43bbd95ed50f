'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { ThemeProvider as NextThemes, useTheme } from 'next-themes';
import { useSyncExternalStore, type ReactNode } from 'react';
import { cx } from './class-names';

export function ThemeProvider({ children, nonce }: { children: ReactNode; nonce?: string }) {
  return (
    <NextThemes attribute="class" defaultTheme="system" enableSystem enableColorScheme={false} disableTransitionOnChange storageKey="ohm-theme" {...(nonce ? { nonce } : {})}>
      {children}
    </NextThemes>
  );
}

const CHOICES = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
  { value: 'system', label: 'System', Icon: Monitor },
] as const;

/** Three radio-like buttons: light, dark, what the system says. */
export function ThemeToggle({ className }: { className?: string }) {
  const { theme, setTheme } = useTheme();
  const hydrated = useHydrated();
  return (
    <div role="group" aria-label="Colour theme" className={cx('inline-flex rounded-md border border-line p-0.5', className)}>
      {CHOICES.map(({ value, label, Icon }) => {
        const active = hydrated && theme === value;
        return (
          <button
            key={value}
            type="button"
            aria-pressed={active}
            aria-label={label}
            title={label}
            onClick={() => setTheme(value)}
            className={cx('grid size-7 place-items-center rounded text-muted hover:text-text', active && 'bg-hover text-text')}
          >
            <Icon aria-hidden size={15} />
          </button>
        );
      })}
    </div>
  );
}

const never = () => () => {};

/** False on the server and in the first client render, true afterwards. */
export const useHydrated = (): boolean => useSyncExternalStore(never, () => true, () => false);
