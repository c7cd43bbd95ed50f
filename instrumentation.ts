/**
 * Next calls this once when its server starts. Under plain `next start` (door one alone) it starts the runtime
 * before the first request and drains on a signal; under the node server both are that server's.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs' || process.env.OHM_SERVED_BY !== 'next') return;
  const { serveDoorOne } = await import('./lib/server/door-one');
  await serveDoorOne();
}
