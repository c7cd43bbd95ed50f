import type { Unrepresentable } from '../../wire';
import type { GeminiModel } from './model';

/** What is found out while a request is translated. */
export interface Draft {
  model: GeminiModel;
  /** Hints that the wire has no words for. */
  dropped: Set<string>;
  /** The first thing that cannot be said at all. Translation goes on, and its result is thrown away. */
  refused: Unrepresentable | null;
  /** Details that images were asked to be seen in, and whether there is other media: one setting holds for all. */
  imageDetails: Set<string>;
  otherMedia: boolean;
}

export const createDraft = (model: GeminiModel): Draft => ({ model, dropped: new Set(), refused: null, imageDetails: new Set(), otherMedia: false });

export function refuse(draft: Draft, why: Unrepresentable): void {
  draft.refused ??= why;
}
