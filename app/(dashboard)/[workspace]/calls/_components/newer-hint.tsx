'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Button } from '@/app/_ui';

const EVERY_MS = 4_000;

/**
 * Says how many calls have come since the page was made, under the same filters. The list itself
 * stays as it is until it is asked for: a row never moves away under the pointer.
 */
export function NewerHint({ address, since }: { /** Address that answers `{ count, capped }`. */ address: string; /** Id and moment of the newest call shown; makes the hint start over. */ since: string }) {
  const router = useRouter();
  const [newer, setNewer] = useState<{ since: string; count: number; capped: boolean } | null>(null);
  useEffect(() => {
    let stopped = false;
    const look = async () => {
      if (document.hidden) return;
      try {
        const answer = await fetch(address, { cache: 'no-store' });
        if (!answer.ok) return;
        const { count, capped } = (await answer.json()) as { count: number; capped: boolean };
        if (!stopped) setNewer({ since, count, capped });
      } catch {
        // Away for a moment: the next look tells.
      }
    };
    const timer = setInterval(look, EVERY_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      stopped = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [address, since]);

  const count = newer !== null && newer.since === since ? newer.count : 0;
  const words = `${count}${newer?.capped ? ' or more' : ''} new ${count === 1 ? 'call' : 'calls'}`;
  return (
    <div className={count === 0 ? 'absolute' : 'min-h-9'}>{/* with nothing to show it takes no gap beside the button */}
      <span role="status" className="sr-only">{count === 0 ? '' : words}</span>
      {count === 0 ? null : <Button size="sm" onClick={() => router.refresh()}>Show {words}</Button>}
    </div>
  );
}
