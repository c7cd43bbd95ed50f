'use client';

import { useEffect, useRef } from 'react';
import type { RouteView } from '@/lib/management/schemas';
import { Button, Notice, Time } from '@/app/_ui';
import { Differences } from './differences';
import { diffRoutes } from './route-diff';
import { bodyOf, type RouteDraft } from './route-draft';

/** Somebody else saved in between: both versions, and two ways on, each said for what it does. */
export function StaleNotice({
  draft,
  current,
  busy,
  onReload,
  onOverwrite,
}: {
  draft: RouteDraft;
  current: RouteView;
  busy: boolean;
  onReload: () => void;
  onOverwrite: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [current.revision]);
  return (
    <div ref={box} tabIndex={-1} className="outline-none" data-testid="stale">
      <Notice
        tone="warning"
        live
        title="This route was changed while you were editing it"
        action={
          <div className="flex flex-wrap gap-2">
            <Button onClick={onReload}>Take revision {current.revision}, drop my changes</Button>
            <Button variant="danger" onClick={onOverwrite} busy={busy && 'Saving'}>
              Overwrite revision {current.revision} with mine
            </Button>
          </div>
        }
      >
        <p>
          Nothing was saved. Revision {current.revision} is in force
          {current.updated_at === null ? '' : <> since <Time at={current.updated_at} /></>}. Below is what your version would change in it.
        </p>
        <div className="mt-2">
          <Differences
            differences={diffRoutes(current, bodyOf(draft))}
            from={`Revision ${current.revision}, in force`}
            to="Yours"
            caption="The version in force and yours"
          />
        </div>
      </Notice>
    </div>
  );
}
