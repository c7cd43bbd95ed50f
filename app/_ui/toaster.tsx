'use client';

import { useTheme } from 'next-themes';
import { Toaster as Sonner } from 'sonner';

export { toast } from 'sonner';

/** Mounted once in the root layout. Toasts confirm; they never carry what a person must act on. */
export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      toastOptions={{ style: { background: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)', fontFamily: 'inherit' } }}
    />
  );
}
