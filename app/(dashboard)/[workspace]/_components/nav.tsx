'use client';

import { Activity, Bell, Boxes, Cable, ChartLine, KeyRound, LayoutDashboard, Route, Scale, Settings, Users } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cx } from '@/app/_ui';

const ITEMS = [
  { path: '', label: 'Overview', Icon: LayoutDashboard },
  { path: '/connections', label: 'Connections', Icon: Cable },
  { path: '/models', label: 'Models', Icon: Boxes },
  { path: '/routes', label: 'Routes', Icon: Route },
  { path: '/keys', label: 'Keys', Icon: KeyRound },
  { path: '/calls', label: 'Calls', Icon: Activity },
  { path: '/usage', label: 'Usage', Icon: ChartLine },
  { path: '/alerts', label: 'Alerts', Icon: Bell },
  { path: '/savings', label: 'Savings', Icon: Scale },
  { path: '/members', label: 'Members', Icon: Users },
  { path: '/settings', label: 'Settings', Icon: Settings },
];

/** A column beside the page on wide screens, a row that wraps above it on narrow ones. */
export function Nav({ workspace }: { workspace: string }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Workspace" className="border-b border-line px-2 py-1.5 lg:w-48 lg:shrink-0 lg:border-r lg:border-b-0 lg:px-3 lg:py-4">
      <ul className="flex flex-wrap gap-0.5 lg:sticky lg:top-16 lg:flex-col">
        {ITEMS.map(({ path, label, Icon }) => {
          const href = `/${workspace}${path}`;
          const here = path === '' ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
          return (
            <li key={path}>
              <Link
                href={href}
                aria-current={here ? (pathname === href ? 'page' : 'true') : undefined}
                className={cx('flex min-h-8 items-center gap-2 rounded-md px-2.5 text-sm text-muted hover:bg-hover hover:text-text', here && 'bg-hover font-medium text-text')}
              >
                <Icon aria-hidden size={15} className={here ? 'text-accent' : undefined} />
                {label}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
