import type { MetadataRoute } from 'next';
import { runtime } from '@/lib/boot';

export const dynamic = 'force-dynamic'; // the addresses hold this installation's own origin

const PATHS = ['/', '/docs', '/docs/streaming-failover', '/docs/apis', '/docs/two-planes', '/docs/errors', '/docs/sandbox', '/trust', '/models', '/waste', '/honesty', '/status'];

/** What everyone may read. */
export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const { env } = await runtime();
  return PATHS.map((path) => ({ url: `${env.publicUrl}${path}` }));
}
