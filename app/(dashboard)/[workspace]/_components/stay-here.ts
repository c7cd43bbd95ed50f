'use client';

import { useCallback, useEffect, useId, useRef } from 'react';

/**
 * Keeps the person on this page while it is mounted with `held`: closing and reloading are asked about by the
 * browser, and "back" leads here again, by a history entry of the same address that is laid on top and laid anew
 * whenever it is left. Returns what lifts it and then calls back, once: the entry is taken off, so that the next
 * "back" is a real one.
 */
export function useStayHere(held: boolean): (then: () => void) => void {
  const mark = useId();
  const listening = useRef<AbortController | null>(null);

  useEffect(() => {
    if (!held) return;
    const control = (listening.current = new AbortController());
    const { signal } = control;
    // A page that was loaded anew is another one, though its entries keep the marks of the one before.
    const own = `${mark} ${performance.timeOrigin}`;
    const layEntry = () => {
      if (markOf(window.history) !== own) window.history.pushState({ [MARK]: own }, '', window.location.href);
    };
    layEntry();
    window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
    window.addEventListener('popstate', layEntry, { signal });
    return () => control.abort();
  }, [held, mark]);

  return useCallback((then: () => void) => {
    if (listening.current === null) return;
    listening.current.abort();
    listening.current = null;
    if (markOf(window.history) !== `${mark} ${performance.timeOrigin}`) return then();
    window.addEventListener('popstate', () => then(), { once: true });
    window.history.back();
  }, [mark]);
}

const MARK = 'ohmStay';

const markOf = ({ state }: History): unknown => (state as { [MARK]?: unknown } | null)?.[MARK];
