'use client';

import { useEffect } from 'react';

/** Asks before changes of a thing (`what`, as it is called in a sentence) are lost: on closing or reloading, on following a link, and on going back where the browser allows it. */
export function useUnsavedChanges(what: 'key' | 'route', unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return;
    const question = `This ${what} has changes that are not saved. Leave and lose them?`;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!(link instanceof HTMLAnchorElement) || !leavesThisPage(link, event)) return;
      if (window.confirm(question)) return;
      event.preventDefault();
      event.stopPropagation();
    };

    // Only the Navigation API can hold a "back"; elsewhere the browser gives no say.
    const navigation = (window as { navigation?: EventTarget }).navigation;
    const onNavigate = (event: Event) => {
      const traversal = (event as Event & { navigationType?: string }).navigationType === 'traverse';
      if (traversal && event.cancelable && !window.confirm(question)) event.preventDefault();
    };

    window.addEventListener('beforeunload', beforeUnload);
    window.addEventListener('click', onClick, true); // before the router's own listener
    navigation?.addEventListener('navigate', onNavigate);
    return () => {
      window.removeEventListener('beforeunload', beforeUnload);
      window.removeEventListener('click', onClick, true);
      navigation?.removeEventListener('navigate', onNavigate);
    };
  }, [what, unsaved]);
}

function leavesThisPage(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0 || link.target === '_blank' || link.hasAttribute('download');
  if (opensElsewhere) return false;
  const to = new URL(link.href, window.location.href);
  return to.origin === window.location.origin && (to.pathname !== window.location.pathname || to.search !== window.location.search);
}
