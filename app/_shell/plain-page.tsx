import Link from 'next/link';
import type { ReactNode } from 'react';
import { Wordmark } from '../_ui';

/** A page with one thing on it: errors and the sign-in forms. */
export function PlainPage({ title, lead, code, children, foot }: { title: string; lead?: ReactNode; code?: string; children: ReactNode; foot?: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col px-4 py-8">
      <header><Link href="/" className="inline-block py-1" aria-label="Ohm, home"><Wordmark /></Link></header>
      <main id="main" tabIndex={-1} className="my-auto py-8 outline-none">
        {code ? <p className="mb-1 font-mono text-sm text-muted">{code}</p> : null}
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {lead ? <p className="mt-2 text-sm text-muted">{lead}</p> : null}
        <div className="mt-5 text-sm">{children}</div>
      </main>
      {foot ? <footer className="text-xs text-muted">{foot}</footer> : null}
    </div>
  );
}
