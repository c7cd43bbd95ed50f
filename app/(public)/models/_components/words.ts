import type { ListedModel } from '@/lib/catalog';

export const ABILITY_WORDS: Record<ListedModel['abilities'][number], string> = {
  tools: 'tools',
  images: 'images',
  pdf: 'PDF',
  audio: 'audio',
  json_schema: 'JSON schema',
  reasoning: 'reasoning',
};
