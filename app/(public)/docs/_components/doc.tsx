import Link from 'next/link';
import type { ReactNode } from 'react';

/** A page of the documentation: its one h1 and a lead sentence. */
export function DocHeader({ title, lead }: { title: string; lead: ReactNode }) {
  return (
    <header className="mb-8 max-w-3xl">
      <p className="mb-1 text-sm"><Link className="link" href="/docs">Docs</Link></p>
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-3 text-base text-muted">{lead}</p>
    </header>
  );
}

/** A heading with an address of its own. */
export function DocHeading({ id, children, level = 2 }: { id: string; children: ReactNode; level?: 2 | 3 }) {
  const Tag = level === 2 ? 'h2' : 'h3';
  return (
    <Tag id={id} className={level === 2 ? 'mt-12 mb-3 scroll-mt-20 text-lg font-semibold' : 'mt-8 mb-2 scroll-mt-20 text-base font-semibold'}>
      <a href={`#${id}`} className="hover:underline">{children}</a>
    </Tag>
  );
}

/** Running text between headings. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className="prose-ohm">{children}</div>;
}
