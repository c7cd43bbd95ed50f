'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Fetches a page again that "back" or "forward" shows as it was when it was left: what it says may have changed since. */
export function FreshOnReturn() {
  const router = useRouter();
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      clearTimeout(soon);
      soon = setTimeout(() => router.refresh()); // after the router has gone back: its going discards what is asked before
    };
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) refresh(); // out of the browser's own memory of pages
    };
    window.addEventListener('popstate', refresh);
    window.addEventListener('pageshow', onPageShow);
    return () => {
      clearTimeout(soon);
      window.removeEventListener('popstate', refresh);
      window.removeEventListener('pageshow', onPageShow);
    };
  }, [router]);
  return null;
}
