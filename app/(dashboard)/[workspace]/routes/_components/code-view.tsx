'use client';

import { useState } from 'react';
import { CodeBlock, Tabs } from '@/app/_ui';
import { asCurl, asJson } from './as-code';
import { bodyOf, type RouteDraft } from './route-draft';

/** The draft as the management API takes it. Made when it is opened: it follows every keystroke. */
export function CodeView({ draft, publicUrl, saved }: { draft: RouteDraft; publicUrl: string; saved: { id: string; revision: number } | null }) {
  const [open, setOpen] = useState(false);
  const body = bodyOf(draft);
  return (
    <details className="mb-6 rounded-lg border border-line bg-surface px-4 py-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="rounded py-1 text-sm font-medium">As JSON and curl</summary>
      {open ? (
        <div className="mt-2 pb-2">
          <Tabs
            label="Form"
            items={[
              { id: 'json', label: 'JSON', content: <CodeBlock text={asJson(body)} title="Body of the request" /> },
              { id: 'curl', label: 'curl', content: <CodeBlock text={asCurl(publicUrl, body, saved)} title={saved === null ? 'POST /api/v1/routes' : `PATCH /api/v1/routes/${saved.id}`} /> },
            ]}
          />
          <p className="mt-2 text-xs text-muted">
            Set <code>OHM_MANAGEMENT_KEY</code> to a management key. {saved === null ? '' : 'The revision in If-Match makes a stale edit fail with 409 instead of undoing somebody’s work.'}
          </p>
        </div>
      ) : null}
    </details>
  );
}
