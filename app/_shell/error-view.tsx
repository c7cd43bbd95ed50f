'use client';

import { useEffect, useRef } from 'react';
import { Button, LinkButton, Mono } from '../_ui';

/**
 * What a page shows when rendering it failed. The digest is the id under which the server logged
 * the error; the message itself stays on the server.
 */
export function ErrorView({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="max-w-xl py-8">
      <h1 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-none">This page could not be shown</h1>
      <p className="mt-2 text-sm text-muted">
        Something failed on our side while it was made. Calls through the gateway do not depend on this page. Try again; if it stays, report the id below.
      </p>
      {error.digest ? <p className="mt-3 text-sm">Error id: <Mono>{error.digest}</Mono></p> : null}
      <div className="mt-5 flex flex-wrap gap-2">
        <Button variant="primary" onClick={reset}>Try again</Button>
        <LinkButton href="/status">Status</LinkButton>
      </div>
    </div>
  );
}
