'use client';

import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';

type Outcome = 'idle' | 'copied' | 'failed';

const SHOWN_MS = 2_500;

/** Copies `text` and says whether that worked: a browser may refuse, or the page may not be on https. */
export function CopyButton({ text, label = 'Copy', size = 'sm', variant = 'secondary', onCopied, className }: {
  text: string; label?: string; size?: 'sm' | 'md'; variant?: 'primary' | 'secondary' | 'quiet'; onCopied?: () => void; className?: string;
}) {
  const [outcome, setOutcome] = useState<Outcome>('idle');
  useEffect(() => {
    if (outcome === 'idle') return;
    const timer = setTimeout(() => setOutcome('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    const copied = await writeToClipboard(text);
    setOutcome(copied ? 'copied' : 'failed');
    if (copied) onCopied?.();
  }

  const Icon = outcome === 'copied' ? Check : outcome === 'failed' ? TriangleAlert : Copy;
  return (
    <Button size={size} variant={variant} onClick={copy} {...(className ? { className } : {})}>
      <Icon aria-hidden size={14} />
      <span>{outcome === 'copied' ? 'Copied' : outcome === 'failed' ? 'Not copied: select it by hand' : label}</span>
      <span role="status" className="sr-only">{outcome === 'copied' ? 'Copied to the clipboard' : outcome === 'failed' ? 'The browser refused to copy' : ''}</span>
    </Button>
  );
}

async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // no permission, or `navigator.clipboard` is missing on plain http
  }
}
