import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { LinkButton } from './button';

/** The trail to this page; the last item is the page itself. */
export function Breadcrumbs({ items }: { items: { label: ReactNode; href?: string }[] }) {
  return (
    <nav aria-label="Breadcrumb" className="mb-3 text-xs text-muted">
      <ol className="flex flex-wrap items-center gap-1">
        {items.map((item, index) => (
          <li key={index} className="flex min-w-0 items-center gap-1">
            {index > 0 ? <ChevronRight aria-hidden size={12} /> : null}
            {item.href && index < items.length - 1
              ? <Link href={item.href} className="inline-block py-1 hover:text-text hover:underline">{item.label}</Link>
              : <span aria-current={index === items.length - 1 ? 'page' : undefined} className="py-1 break-all">{item.label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Cursor pages: forwards by cursor, back to the first. `href` builds a page's address from a cursor. */
export function Pagination({ first, next, shown }: { /** Address of the first page; null when on it. */ first: string | null; next: string | null; /** e.g. "50 calls" */ shown: ReactNode }) {
  return (
    <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center justify-between gap-2 text-xs text-muted">
      <span>{shown}</span>
      <span className="flex gap-2">
        {first ? <LinkButton size="sm" href={first}>First page</LinkButton> : null}
        {next ? <LinkButton size="sm" href={next}>Older</LinkButton> : null}
      </span>
    </nav>
  );
}
