import type { Metadata } from 'next';
import { LinkButton } from '@/app/_ui';

export const metadata: Metadata = { title: 'Not found' };

/** Inside a workspace: the navigation stays. Says the same of what never was and of what is somebody else's. */
export default function NotFound() {
  return (
    <div className="max-w-xl py-8">
      <h1 className="text-lg font-semibold">There is nothing here</h1>
      <p className="mt-2 text-muted">It was removed, or it never was in this workspace.</p>
      <div className="mt-5"><LinkButton href="/app" variant="primary">Overview</LinkButton></div>
    </div>
  );
}
