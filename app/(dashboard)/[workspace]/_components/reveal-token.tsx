'use client';

import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, CopyButton, Dialog, DialogActions, Notice } from '@/app/_ui';
import { useStayHere } from './stay-here';

/** Shows a token once. Only "I stored it" closes it; then the token leaves the page. */
export function RevealToken({ title, name, token, envFile, onStored, children }: {
  title: string;
  /** Names the download. */
  name: string;
  /** The whole token: it exists here, in this tab's memory, and nowhere else. */
  token: string;
  /** What the download holds. */
  envFile: string;
  onStored: () => void;
  /** What to do with it. */
  children: ReactNode;
}) {
  const leave = useStayHere(true);
  return (
    <Dialog open locked wide onOpenChange={() => {}} title={title} description="This is the only time that the key is shown. Ohm keeps a hash of it and cannot show it again.">
      <div className="rounded-lg border border-line-strong bg-sunken p-3">
        <output data-testid="issued-key" className="block font-mono text-sm break-all select-all">{token}</output>
        <div className="mt-3 flex flex-wrap gap-2">
          <CopyButton text={token} label="Copy key" variant="primary" size="md" />
          <Button onClick={() => download(`${fileName(name)}.env`, envFile)}>
            <Download aria-hidden size={14} /> Download .env
          </Button>
        </div>
      </div>
      <h3 className="mt-5 mb-1 text-sm font-semibold">Try it</h3>
      {children}
      <Notice tone="warning" className="mt-4">Treat it like a password. If it leaks, revoke it here: every process refuses it within 5 seconds.</Notice>
      <DialogActions>
        <Button variant="primary" onClick={() => leave(onStored)}>I stored it</Button>
      </DialogActions>
    </Dialog>
  );
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
