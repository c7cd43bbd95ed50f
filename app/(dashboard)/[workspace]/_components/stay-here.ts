'use client';

import { useCallback, useEffect, useRef } from 'react';

/**
 * Keeps the person on this page while it is mounted with `held`: closing and reloading are asked about by the
 * browser, and "back" leads here again, by a history entry of the same address that is laid on top and laid anew
 * whenever it is left. Returns what lifts it and then calls back, once: the entry is taken off, so that the next
 * "back" is a real one.
 */
export function useStayHere(held: boolean): (then: () => void) => void {
  const listening = useRef<AbortController | null>(null);
  // Remembered here and not in the entry's state, which the router writes anew whenever it has fetched the page again.
  const onTop = useRef(false);

  useEffect(() => {
    if (!held) return;
    const control = (listening.current = new AbortController());
    const { signal } = control;
    const layEntry = () => {
      window.history.pushState(null, '', window.location.href);
      onTop.current = true;
    };
    if (!onTop.current) layEntry();
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    window.addEventListener('popstate', layEntry, { signal });
    return () => control.abort();
  }, [held]);

  return useCallback((then: () => void) => {
    if (listening.current === null) return;
    listening.current.abort();
    listening.current = null;
    if (!onTop.current) return then();
    onTop.current = false;
    window.addEventListener('popstate', () => then(), { once: true });
    window.history.back();
  }, []);
}
