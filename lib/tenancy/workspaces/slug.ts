import { randomInt } from 'node:crypto';

/** First segments of the product's own addresses, now and likely soon: a workspace cannot hide them or be hidden. */
const RESERVED = new Set(
  ('_next about account admin api app assets auth billing blog changelog chat completions connections contact dashboard docs edge ' +
    'embeddings favicon.ico healthz help home honesty invite invites keys legal llms.txt login logout mcp messages models new ohm onboarding openapi.json playground ' +
    'pricing privacy public ready reset responses robots.txt routes security settings sign-in sign-out sign-up sitemap.xml static status ' +
    'support system terms trust v1 verify waste welcome workspaces www').split(' '),
);

const MAX_LENGTH = 40;

/** Lower-case letters, digits and hyphens made from a name; never empty, never one of the product's own addresses. */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '') // é was taken apart, and its accent is dropped
    .replace(/[ßæœøđðłþı]/g, (letter) => UNDIVIDED[letter]!)
    .toLowerCase() // of compatibility forms, № for one, letters come out large
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const short = cut(slug, MAX_LENGTH);
  if (short.length < 2) return withSuffix('workspace');
  return RESERVED.has(short) ? withSuffix(short) : short;
}

/** Letters that no normal form takes apart. */
const UNDIVIDED: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };

/** The same with something random behind it, for when it is taken. */
export function withSuffix(slug: string): string {
  const suffix = randomInt(36 ** 4, 36 ** 5).toString(36);
  return `${cut(slug, MAX_LENGTH - suffix.length - 1)}-${suffix}`;
}

/** After a word, where that leaves at least half; else in the middle of one. */
function cut(slug: string, length: number): string {
  if (slug.length <= length) return slug;
  const end = slug.lastIndexOf('-', length);
  return slug.slice(0, end >= length / 2 ? end : length).replace(/-+$/, '');
}
