'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import type { Progress } from './steps';

const EVERY_MS = 2_000;

/**
 * Asks for the checklist every two seconds until the first call is in: not while the page is hidden,
 * and never two questions at once. `reachable` is false while the server does not answer.
 */
export function useProgress(workspace: string, initial: Progress): { progress: Progress; reachable: boolean } {
  const router = useRouter();
  const [progress, setProgress] = useState(initial);
  const [reachable, setReachable] = useState(true);
  const done = progress.done;

  useEffect(() => {
    if (done) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function ask() {
      try {
        const response = await fetch(`/${workspace}/first-call`, { cache: 'no-store', signal: abort.signal });
        if (!response.ok) throw new Error(`answered ${response.status}`);
        const next = (await response.json()) as Progress;
        setReachable(true);
        setProgress(next);
        if (next.done) {
          router.refresh(); // the rest of the page has figures now
          return;
        }
      } catch {
        if (abort.signal.aborted) return;
        setReachable(false); // shown; asked again
      }
      schedule();
    }
    function schedule() {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(() => void ask(), EVERY_MS);
    }
    schedule();
    document.addEventListener('visibilitychange', schedule);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', schedule);
    };
  }, [workspace, done, router]);

  return { progress, reachable };
}
