import type { StringChange, TextSlot } from '../wire';
import type { PipelineResult } from './pipeline';
import type { SaverId } from './saver';

/** One text that savers changed. */
export interface RewrittenText {
  role: TextSlot['role'];
  /** Position of its message in the request, from 1; null where it stands in none. */
  message: number | null;
  savers: SaverId[];
  before: string;
  after: string;
}

/** What becomes of the request's own JSON. */
export function changesOf(slots: readonly TextSlot[], { texts, quoted }: PipelineResult): StringChange[] {
  return [...texts].map(([at, text]) => ({ path: slots[at]!.path, text, quoted: quoted?.get(at) }));
}

/** What savers made of which text, in the order of the conversation. */
export function rewrittenTexts(slots: readonly TextSlot[], { texts, steps }: PipelineResult): RewrittenText[] {
  const changed = [...texts].sort(([one], [other]) => one - other);
  return changed.map(([at, after]): RewrittenText => {
    const { role, path, text: before } = slots[at]!;
    return { role, message: typeof path[1] === 'number' ? path[1] + 1 : null, savers: steps.filter((step) => step.at === at).map(({ saver }) => saver), before, after };
  });
}
