import type { CallFacts } from './call-facts';
import type { TierConfig } from './ports';

/**
 * What a tier's health is kept of, besides its connection: the model, and of one that is asked for something other than
 * chat that operation for itself. A model that has no embeddings answers 404 to whoever asks for them, and is well.
 */
export const modelAsked = ({ surface: { operation } }: Pick<CallFacts, 'surface'>, { model }: TierConfig): string => (operation === 'chat' ? model : `${model}\n${operation}`);
