import { SAVERS } from '@/lib/savers';
import type { SaverCard } from './saver-words';

/** Every saver, in the order in which they work; for server components, which hand it to forms. */
export const SAVER_CARDS: readonly SaverCard[] = SAVERS.map(({ id, label, promise, never, lossless }) => ({ id, label, promise, never, lossless }));
