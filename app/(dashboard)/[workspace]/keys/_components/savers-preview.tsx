'use client';

import { useState, useTransition } from 'react';
import { AppraisalView } from '@/app/_savers/appraisal-view';
import { Button, TextareaField, useHydrated } from '@/app/_ui';
import type { SaverId } from '@/lib/savers/saver';
import type { AppraisalEnd } from '@/lib/waste';

export type PreviewAction = (text: string, savers: readonly SaverId[]) => Promise<AppraisalEnd>;

/** The chosen savers on a text of one's own. The text is no part of the form around it, and is not stored. */
export function SaversPreview({ action, chosen }: { action: PreviewAction; chosen: readonly SaverId[] }) {
  const hydrated = useHydrated();
  const [end, setEnd] = useState<AppraisalEnd | null>(null);
  const [pending, start] = useTransition();
  const show = (text: string) => start(async () => {
    setEnd(new Blob([text]).size > MAX_BYTES ? { ok: false, reason: 'too_large' } : await action(text, chosen));
  });
  return (
    <details className="min-w-0 rounded-md border border-line p-3">
      <summary className="text-sm font-medium">Try them on a text</summary>
      <div className="mt-3 grid min-w-0 gap-3">
        <TextareaField
          label="Text or request" rows={8} mono spellCheck={false} autoComplete="off"
          hint="A tool’s result as plain text, or the JSON body of a request. At most 200,000 bytes. No model is asked, and nothing of it is stored."
        />
        <div><Button disabled={!hydrated} busy={pending && 'Working it out…'} onClick={(event) => show(event.currentTarget.closest('details')?.querySelector('textarea')?.value ?? '')}>Show the effect</Button></div>
        <div aria-live="polite" className="min-w-0">{end === null ? null : <AppraisalView end={end} heading="h4" />}</div>
      </div>
    </details>
  );
}

/** A server action takes no more than a megabyte; far less is worked out. */
const MAX_BYTES = 200_000;
