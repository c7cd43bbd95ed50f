'use client';

import { Check, ChevronsUpDown, CircleUser, LogOut } from 'lucide-react';
import Link from 'next/link';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonClass, cx } from '@/app/_ui';
import { HELP_PAGES } from './help-pages';

export interface WorkspaceItem {
  slug: string;
  name: string;
}

const CONTENT = 'z-50 max-w-[calc(100vw-1rem)] min-w-52 rounded-lg border border-line bg-surface p-1 text-sm shadow-lg';
const ITEM = 'flex min-h-8 w-full items-center gap-2 rounded-md px-2.5 text-left outline-none data-[highlighted]:bg-hover';

export function WorkspaceSwitcher({ current, all }: { current: WorkspaceItem; all: WorkspaceItem[] }) {
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={buttonClass('quiet', 'sm', 'min-w-0 max-w-44 text-sm sm:max-w-64')} aria-label={`Workspace: ${current.name}`}>
          <span className="truncate">{current.name}</span>
          <ChevronsUpDown aria-hidden size={14} className="shrink-0 text-muted" />
        </button>
      }
    >
      <DropdownMenu.Label className="px-2.5 py-1 text-xs text-muted">Workspaces</DropdownMenu.Label>
      {all.map((workspace) => (
        <DropdownMenu.Item key={workspace.slug} asChild>
          <Link href={`/${workspace.slug}`} className={ITEM}>
            <Check aria-hidden size={14} className={workspace.slug === current.slug ? 'text-accent' : 'invisible'} />
            <span className="min-w-0 break-words">{workspace.name}</span>
            {workspace.slug === current.slug ? <span className="sr-only">(this one)</span> : null}
          </Link>
        </DropdownMenu.Item>
      ))}
    </Menu>
  );
}

export function AccountMenu({ email, settingsHref, signOut }: { email: string; settingsHref: string; signOut: () => Promise<void> }) {
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className={buttonClass('quiet', 'icon')} aria-label={`Account: ${email}`}>
          <CircleUser aria-hidden size={18} />
        </button>
      }
    >
      <DropdownMenu.Label className="px-2.5 py-1 text-xs break-all text-muted">{email}</DropdownMenu.Label>
      <DropdownMenu.Item asChild><Link href={settingsHref} className={ITEM}>Account and sessions</Link></DropdownMenu.Item>
      {/* What the bar has no room for on a phone. */}
      {HELP_PAGES.map(({ href, label }) => (
        <DropdownMenu.Item key={href} asChild><Link href={href} className={cx(ITEM, 'sm:hidden')}>{label}</Link></DropdownMenu.Item>
      ))}
      <DropdownMenu.Item className={ITEM} onSelect={() => void signOut()}>
        <LogOut aria-hidden size={14} /> Sign out
      </DropdownMenu.Item>
    </Menu>
  );
}

function Menu({ trigger, align, children }: { trigger: ReactNode; align: 'start' | 'end'; children: ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align={align} sideOffset={6} className={CONTENT}>{children}</DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
