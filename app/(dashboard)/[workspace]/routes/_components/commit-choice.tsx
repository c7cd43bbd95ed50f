'use client';

import { useId } from 'react';

const POLICIES = [
  {
    value: 'first_content',
    title: 'At the first content',
    words:
      'The client gets the answer as it is written. Until the first piece of content nothing is sent, so any failure moves on to the next tier unseen. After it, a failure ends the stream with an error frame; no other model ever continues the sentence.',
  },
  {
    value: 'complete',
    title: 'When the answer is complete',
    words:
      'The whole answer is held until its last token, then sent. Failures move on to the very end and the client never gets half an answer, but it waits for the first byte as long as the model writes. Answers over 8 MiB are let through early.',
  },
] as const;

export function CommitChoice({ value, onChange }: { value: 'first_content' | 'complete'; onChange: (value: 'first_content' | 'complete') => void }) {
  const id = useId();
  return (
    <fieldset>
      <legend className="text-sm font-medium">When the client gets its first byte</legend>
      <div className="mt-2 grid gap-2 md:grid-cols-2">
        {POLICIES.map((policy) => (
          <div key={policy.value} className="grid grid-cols-[auto_1fr] gap-x-2.5 rounded-lg border border-line p-3 has-checked:border-accent">
            <input
              id={`${id}-${policy.value}`}
              type="radio"
              name={`${id}-commit`}
              value={policy.value}
              checked={value === policy.value}
              aria-describedby={`${id}-${policy.value}-words`}
              onChange={() => onChange(policy.value)}
              className="mt-0.5 size-4 accent-accent"
            />
            <label htmlFor={`${id}-${policy.value}`} className="text-sm font-medium">
              {policy.title}
            </label>
            <p id={`${id}-${policy.value}-words`} className="col-start-2 mt-1 text-xs text-muted">
              {policy.words}
            </p>
          </div>
        ))}
      </div>
      <p className="mt-2 text-xs text-muted">
        A request can choose for itself with the header <code>X-Ohm-Commit</code>.
      </p>
    </fieldset>
  );
}
