'use client';

import { Download } from 'lucide-react';
import { useEffect } from 'react';
import { Button, CopyButton, Dialog, DialogActions, Notice } from '@/app/_ui';
import { SnippetTabs } from '@/app/_shell/snippet-tabs';
import { callSnippets, envFile } from '@/app/_shell/snippets';

export interface Issued {
  id: string;
  name: string;
  /** The whole token: it exists here, in this tab's memory, and nowhere else. */
  token: string;
  /** What the snippets ask for. */
  model: string;
}

/** Shows a token once. Only "I stored it" closes it; then the token leaves the page. */
export function RevealKey({ issued, origin, onStored }: { issued: Issued | null; origin: string; onStored: () => void }) {
  useLeaveGuard(issued !== null);
  if (issued === null) return null;
  return (
    <Dialog
      open
      locked
      wide
      onOpenChange={() => {}}
      title={`Key “${issued.name}”`}
      description="This is the only time that the key is shown. Ohm keeps a hash of it and cannot show it again."
    >
      <div className="rounded-lg border border-line-strong bg-sunken p-3">
        <output data-testid="issued-key" className="block font-mono text-sm break-all select-all">{issued.token}</output>
        <div className="mt-3 flex flex-wrap gap-2">
          <CopyButton text={issued.token} label="Copy key" variant="primary" size="md" />
          <Button onClick={() => download(`${fileName(issued.name)}.env`, envFile(origin, issued.token))}>
            <Download aria-hidden size={14} /> Download .env
          </Button>
        </div>
      </div>
      <h3 className="mt-5 mb-1 text-sm font-semibold">Try it</h3>
      <SnippetTabs snippets={callSnippets({ origin, key: issued.token, model: issued.model })} />
      <Notice tone="warning" className="mt-4">Treat it like a password. If it leaks, revoke it here: every process refuses it within 5 seconds.</Notice>
      <DialogActions>
        <Button variant="primary" onClick={onStored}>I stored it</Button>
      </DialogActions>
    </Dialog>
  );
}

/** The browser asks before the tab is closed or reloaded over an unstored key. */
function useLeaveGuard(active: boolean) {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
}

function download(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

const fileName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'ohm';
