import type { Metadata } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { currentMemberships, currentSession, requireMember } from '@/app/_auth/session';
import { signOutAction } from '@/app/(auth)/actions';
import { Mark, ThemeToggle } from '@/app/_ui';
import { HELP_PAGES } from './_components/help-pages';
import { FreshOnReturn } from './_components/fresh-on-return';
import { AccountMenu, WorkspaceSwitcher } from './_components/menus';
import { Nav } from './_components/nav';

export const dynamic = 'force-dynamic'; // never stored: Next then answers with no-store

/** A workspace that is not there has no overview: whatever its pages are called, their title is this one's. */
export async function generateMetadata({ params }: { params: Promise<{ workspace: string }> }): Promise<Metadata> {
  const { workspace: slug } = await params;
  const session = await currentSession();
  const there = session !== null && (await currentMemberships(session.user.id)).some(({ workspace }) => workspace.slug === slug);
  const robots = { index: false };
  return there ? { robots } : { robots, title: { template: 'Not found · Ohm', default: 'Not found · Ohm' } };
}

export default async function WorkspaceLayout({ children, params }: { children: ReactNode; params: Promise<{ workspace: string }> }) {
  const { workspace: slug } = await params;
  const { user, workspace } = await requireMember(slug);
  const memberships = await currentMemberships(user.id);
  return (
    <div className="flex min-h-dvh flex-col text-sm">
      <FreshOnReturn />
      <header className="sticky top-0 z-30 border-b border-line bg-surface">
        <div className="flex min-h-12 items-center gap-1 px-3 sm:gap-2">
          <Link href="/" aria-label="Ohm, home" className="grid size-8 shrink-0 place-items-center rounded-md text-accent hover:bg-hover"><Mark /></Link>
          <span aria-hidden className="text-line-strong">/</span>
          <WorkspaceSwitcher current={workspace} all={memberships.map((membership) => membership.workspace)} />
          <nav aria-label="Help" className="ml-auto hidden gap-3 px-2 text-xs text-muted sm:flex">
            {HELP_PAGES.map(({ href, label }) => <Link key={href} href={href} className="py-1 hover:text-text hover:underline">{label}</Link>)}
          </nav>
          <ThemeToggle className="ml-auto sm:ml-0" />
          <AccountMenu email={user.email} settingsHref={`/${slug}/settings`} signOut={signOutAction} />
        </div>
      </header>
      <div className="flex flex-1 flex-col lg:flex-row">
        <Nav workspace={slug} />
        <main id="main" tabIndex={-1} className="w-full min-w-0 max-w-[1600px] flex-1 px-4 py-5 outline-none lg:px-6">{children}</main>
      </div>
    </div>
  );
}
