import Link from 'next/link';
import type { ReactNode } from 'react';
import { LinkButton, ThemeToggle, Wordmark } from '@/app/_ui';

const PAGES = [
  { href: '/docs', label: 'Docs' },
  { href: '/docs/streaming-failover', label: 'Contract' },
  { href: '/models', label: 'Models' },
  { href: '/waste', label: 'Waste' },
  { href: '/status', label: 'Status' },
  { href: '/honesty', label: 'Honesty' },
  { href: '/trust', label: 'Trust' },
];

/** What everyone may read. Knows nothing of sessions, so that a page may be cached or built ahead. */
export default function PublicLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-5 gap-y-2 px-4 py-2.5 text-sm">
          <Link href="/" className="flex py-1 text-base" aria-label="Ohm, home"><Wordmark /></Link>
          <nav aria-label="Main" className="order-last flex w-full flex-wrap gap-x-4 gap-y-1 sm:order-none sm:w-auto">
            {PAGES.map((page) => (
              <Link key={page.href} href={page.href} className="py-1 text-muted hover:text-text hover:underline">{page.label}</Link>
            ))}
          </nav>
          <div className="ml-auto flex items-center gap-2">
            {/* The dashboard's own door sends people without a session to sign-in. */}
            <LinkButton href="/app" variant="quiet" size="sm" prefetch={false}>Sign in</LinkButton>
            <LinkButton href="/sign-up" variant="primary" size="sm">Sign up</LinkButton>
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-5xl flex-1 px-4 py-10 outline-none">{children}</main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-5 gap-y-3 px-4 py-5 text-xs text-muted">
          <a href="/v1/public/honesty" className="py-1 hover:text-text hover:underline">Honesty as JSON</a>
          <a href="/v1/public/models" className="py-1 hover:text-text hover:underline">Models as JSON</a>
          <a href="/openapi.json" className="py-1 hover:text-text hover:underline">OpenAPI</a>
          <a href="/llms.txt" className="py-1 hover:text-text hover:underline">llms.txt</a>
          <ThemeToggle className="ml-auto" />
        </div>
      </footer>
    </div>
  );
}
