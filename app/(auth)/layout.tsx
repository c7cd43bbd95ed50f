import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { requireSameOrigin } from '@/app/_auth/same-origin';

export const metadata: Metadata = { robots: { index: false } };

export default async function AuthLayout({ children }: { children: ReactNode }) {
  await requireSameOrigin(); // the actions have refused such a form already; this is its answer
  return children;
}
