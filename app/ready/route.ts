import { runtime } from '@/lib/boot';
import type { Readiness } from '@/lib/claims';
import { momentaryJson } from '../v1/public/public-json';

export const dynamic = 'force-dynamic';

/** 200 when calls should be sent here, else 503; each dependency by name. */
export async function GET(): Promise<Response> {
  const report = await readiness();
  return momentaryJson(report.ready ? 200 : 503, report, report.ready ? {} : { 'retry-after': '2' });
}

async function readiness(): Promise<Readiness> {
  try {
    const { claims } = await runtime();
    return await claims.status();
  } catch {
    // The process could not be wired together, most often because the database was away when it began.
    return { ready: false, draining: false, dependencies: [{ name: 'process', ok: false, detail: 'has not started' }] };
  }
}
