'use client';

import { startTransition, useActionState, useState } from 'react';
import { AppraisalView } from '@/app/_savers/appraisal-view';
import { SaverChoice } from '@/app/_savers/saver-choice';
import { TOKENIZER_LABELS, type SaverCard } from '@/app/_savers/saver-words';
import { Button, SelectField, TextareaField } from '@/app/_ui';
import { appraiseAction } from '../actions';
import type { WasteState } from './waste-state';

/** A form that also works without script: then the page comes back with the answer in it. */
export function WasteForm({ cards, initial, maxBytes }: { cards: readonly SaverCard[]; initial: WasteState; maxBytes: number }) {
  const [state, submit, pending] = useActionState(appraiseAction, initial);
  const [tooLarge, setTooLarge] = useState(false);
  const end = tooLarge ? ({ ok: false, reason: 'too_large' } as const) : state.end;
  const { values } = state;
  return (
    <div className="grid min-w-0 gap-8">
      <form
        action={submit}
        aria-label="Text to appraise"
        className="grid min-w-0 gap-4 rounded-lg border border-line bg-surface p-4"
        onSubmit={(event) => {
          event.preventDefault(); // what was typed stays
          const form = new FormData(event.currentTarget);
          const isTooLarge = new Blob([String(form.get('text'))]).size > maxBytes;
          setTooLarge(isTooLarge);
          if (!isTooLarge && !pending) startTransition(() => submit(form));
        }}
      >
        <TextareaField
          label="Prompt, request or tool result" name="text" rows={12} mono spellCheck={false} autoComplete="off" defaultValue={values.text}
          hint="Plain text, or the JSON body of a Chat Completions, Messages or Responses request. At most 200,000 bytes."
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField label="Plain text is" name="as" defaultValue={values.as} hint="Most savers work on what tools answer.">
            <option value="tool">what a tool answered</option>
            <option value="user">what a person wrote</option>
          </SelectField>
          <SelectField label="Count tokens for" name="tokenizer" defaultValue={values.tokenizer ?? ''} hint="OpenAI’s tokenizers are exact; others are not public.">
            <option value="">The model in the request, else GPT-4o and later</option>
            {Object.entries(TOKENIZER_LABELS).map(([name, label]) => <option key={name} value={name}>{label}</option>)}
          </SelectField>
        </div>
        <details className="rounded-md border border-line p-3">
          <summary className="text-sm font-semibold">Savers: {values.savers.length} of {cards.length} on</summary>
          <div className="mt-3"><SaverChoice cards={cards} chosen={values.savers} /></div>
        </details>
        <div><Button type="submit" variant="primary" busy={pending && 'Working it out…'}>Show the effect</Button></div>
      </form>
      <section aria-labelledby="effect" aria-live="polite" className="min-w-0">
        <h2 id="effect" className="mb-3 text-base font-semibold">Effect</h2>
        {end === null ? <p className="text-sm text-muted">Nothing was sent yet. Paste a text, or take a sample.</p> : <AppraisalView end={end} />}
      </section>
    </div>
  );
}
