import { runtime } from '@/lib/boot';
import { openApiDocument, OPERATIONS } from '@/lib/management';
import { version } from '@/package.json';

export const dynamic = 'force-dynamic'; // the installation's own address is in it

let document: string | null = null;

export async function GET(): Promise<Response> {
  document ??= JSON.stringify(openApiDocument(OPERATIONS, { version, publicUrl: (await runtime()).env.publicUrl }));
  return new Response(document, {
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' },
  });
}
