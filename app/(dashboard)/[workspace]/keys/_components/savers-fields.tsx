'use client';

import { useState } from 'react';
import { SaverChoice } from '@/app/_savers/saver-choice';
import type { SaverCard } from '@/app/_savers/saver-words';
import { Button, Fieldset, NumberField, useHydrated } from '@/app/_ui';
import type { FormState } from '@/app/_shell/form-state';
import type { KeyView } from '@/lib/management/schemas';
import type { SaverId } from '@/lib/savers/saver';
import { SaversPreview, type PreviewAction } from './savers-preview';

export interface SaversDefaults {
  cards: readonly SaverCard[];
  chosen: KeyView['savers'];
  /** Percent; null: what holds where nothing is said. */
  holdout: number | null;
  /** Of conversations, where savers are on and nothing is said, and the most that may be said. */
  usual: number;
  most: number;
  /** Days that rewritten texts are kept; null: none is. */
  keepDays: number | null;
  mostDays: number;
  preview: PreviewAction;
}

/** What is taken out of a key's messages, and how many conversations stay as they came so that it can be measured. */
export function SaversFields({ defaults: { cards, chosen: before, holdout, usual, most, keepDays, mostDays, preview }, errors }: { defaults: SaversDefaults; errors: FormState['errors'] }) {
  const [chosen, setChosen] = useState<readonly SaverId[]>(before);
  const hydrated = useHydrated();
  const lossless = cards.filter((card) => card.lossless).map(({ id }) => id);
  const wrong = Object.entries(errors).find(([field]) => field === 'savers' || field.startsWith('savers.'))?.[1];
  return (
    <Fieldset legend="Savers" hint="Deterministic rewrites of messages before they are sent. Whatever fails is undone, and the message goes out as it came. A message with a signature or reasoning is never touched, nor is a conversation with cache marks among its messages, and X-Ohm-Savers: off keeps one request out of it.">
      <div><Button size="sm" onClick={() => setChosen(lossless)} disabled={!hydrated || (lossless.every((id) => chosen.includes(id)) && chosen.length === lossless.length)}>Take the lossless ones</Button></div>
      <SaverChoice cards={cards} chosen={chosen} onChange={setChosen} error={wrong} />
      <NumberField
        label="Hold-out (percent of conversations)" name="holdout_percent" whole defaultValue={holdout ?? ''} placeholder={String(usual)} error={errors['holdout.percent'] ?? errors.holdout}
        hint={`Chosen at random and sent as they came, so that savings are measured and not only estimated. Empty: ${usual} where savers are on. 0 measures nothing; at most ${most}.`}
      />
      <NumberField
        label="Keep rewritten texts (days)" name="keep_texts_days" whole defaultValue={keepDays ?? ''} placeholder="not kept" error={errors['keep_texts.days'] ?? errors.keep_texts}
        hint={`A call’s receipt then shows each changed text before and after. They are parts of prompts: kept encrypted for this workspace, shown to developers and above, deleted after so many days, at most ${mostDays}. Empty: none is kept, and what was kept before is deleted at once.`}
      />
      <SaversPreview action={preview} chosen={chosen} />
    </Fieldset>
  );
}
