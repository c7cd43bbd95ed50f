'use client';

import { usePathname } from 'next/navigation';
import { startTransition, useActionState, useEffect, useRef, type ReactNode } from 'react';
import { Notice } from '../_ui';
import { UNTOUCHED, type FormState } from './form-state';
import { showRefusal } from './show-refusal';
import { SignInElsewhere } from './sign-in-elsewhere';

/** What a server action gives back: a refusal to show, or with `result` what came of it. */
export type FormAction<R = never> = (state: FormState, form: FormData) => Promise<FormState & { result?: R }>;

/**
 * A form over a server action. What was typed stays after a refusal, also in fields that are never
 * sent back, such as passwords; the first wrong field gets the focus. Works without script unless
 * `needsScript`: for forms whose answer is shown once and would be lost with the page.
 */
export function ActionForm<R = never>({ action, onResult, needsScript, className, children }: {
  action: FormAction<R>;
  onResult?: (result: R) => void;
  needsScript?: boolean;
  className?: string;
  children: (state: FormState, pending: boolean) => ReactNode;
}) {
  const [state, submit, pending] = useActionState<FormState & { result?: R }, FormData>(action, UNTOUCHED);
  const form = useRef<HTMLFormElement>(null);
  useShownRefusal(form, state);
  useResult(state.result, onResult);
  return (
    <form
      ref={form}
      {...(needsScript ? { method: 'post' } : { action: submit })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (pending) return;
        const data = new FormData(event.currentTarget);
        startTransition(() => submit(data));
      }}
      className={className ?? 'flex flex-col gap-4'}
    >
      {needsScript ? <noscript>This form needs JavaScript.</noscript> : null}
      {state.message ? (
        <div key={state.attempt} data-refusal className="scroll-mt-16">
          <Notice tone="danger" live action={state.signedOut ? <SignInElsewhere /> : state.stale ? <SeeAsItIs /> : undefined}>{state.message}</Notice>
        </div>
      ) : null}
      {children(state, pending)}
    </form>
  );
}

/** Beside what somebody else saved in between, the edit can be made again: this page still shows what was typed. */
function SeeAsItIs() {
  return <a href={usePathname()} target="_blank" rel="noopener" className="link">See it as it is now, in a new tab</a>;
}

function useShownRefusal(form: { current: HTMLFormElement | null }, state: FormState) {
  useEffect(() => {
    if (state.attempt === 0) return;
    showRefusal(form.current);
  }, [form, state]);
}

function useResult<R>(result: R | undefined, onResult: ((result: R) => void) | undefined) {
  const handler = useRef(onResult);
  useEffect(() => {
    handler.current = onResult;
  });
  useEffect(() => {
    if (result !== undefined) handler.current?.(result);
  }, [result]);
}
