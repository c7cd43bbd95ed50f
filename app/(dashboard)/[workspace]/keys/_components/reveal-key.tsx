'use client';

import { SnippetTabs } from '@/app/_shell/snippet-tabs';
import { callSnippets, envFile } from '@/app/_shell/snippets';
import { RevealToken } from '../../_components/reveal-token';

export interface Issued {
  id: string;
  name: string;
  token: string;
  /** What the snippets ask for. */
  model: string;
}

/** A gateway key, shown once, with a first call to make with it. */
export function RevealKey({ issued, origin, onStored }: { issued: Issued | null; origin: string; onStored: () => void }) {
  if (issued === null) return null;
  return (
    <RevealToken title={`Key “${issued.name}”`} name={issued.name} token={issued.token} envFile={envFile(origin, issued.token)} onStored={onStored}>
      <SnippetTabs snippets={callSnippets({ origin, key: issued.token, model: issued.model })} />
    </RevealToken>
  );
}
