export const dynamic = 'force-dynamic';

/** The process runs and answers. Asks nobody. */
export function GET(): Response {
  return new Response('ok\n', { headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=5', 'access-control-allow-origin': '*' } });
}
