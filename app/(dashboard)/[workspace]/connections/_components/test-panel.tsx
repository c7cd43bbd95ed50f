'use client';

import { Ban, Check, CircleDashed, LoaderCircle, TriangleAlert } from 'lucide-react';
import { startTransition, useActionState } from 'react';
import type { ConnectionReport, TestStep } from '@/lib/management/schemas';
import { Button, cx, Duration, Notice, Section, TextField } from '@/app/_ui';

export type TestOutcome = { state: 'untested' } | { state: 'refused'; message: string } | { state: 'tested'; report: ConnectionReport; at: string };

const STEPS: Record<TestStep['step'], { title: string; what: string }> = {
  dns: { title: 'DNS', what: 'The host name has an address that may be used.' },
  connect: { title: 'Connect', what: 'A connection is made, and its certificate holds.' },
  tls: { title: 'TLS', what: 'The certificate holds.' },
  auth: { title: 'Auth', what: 'The provider accepts the stored key.' },
  model_list: { title: 'Model list', what: 'The provider lists its models.' },
  first_content: { title: 'First content', what: 'A short streamed answer begins.' },
};

/** While it is not known how the connection goes. */
const AHEAD = ['dns', 'connect', 'auth', 'model_list', 'first_content'] as const;

const LOOK = {
  ok: { word: 'ok', className: 'text-good', Icon: Check },
  warning: { word: 'warning', className: 'text-warning', Icon: TriangleAlert },
  failed: { word: 'failed', className: 'text-danger', Icon: Ban },
  skipped: { word: 'not tried', className: 'text-muted', Icon: CircleDashed },
} as const satisfies Record<TestStep['outcome'], unknown>;

/** Each step of a connection's path by itself, through the code that calls take. */
export function TestPanel({ action, sandbox }: { action: (state: TestOutcome, form: FormData) => Promise<TestOutcome>; sandbox: boolean }) {
  const [outcome, test, pending] = useActionState<TestOutcome, FormData>(action, { state: 'untested' });
  const steps = outcome.state === 'tested' ? outcome.report.steps : null;
  return (
    <Section title="Test" lead="Goes the way that calls go, with the stored key. It asks for one short answer, which the provider may bill.">
      <form
        action={test}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          if (!pending) startTransition(() => test(form));
        }}
        className="flex flex-wrap items-end gap-3"
      >
        <TextField label="Model to ask" name="model" mono autoComplete="off" spellCheck={false} optional className="min-w-48 flex-1" placeholder={sandbox ? 'text:20' : 'the first that the provider lists'} />
        <Button type="submit" busy={pending && 'Testing…'}>Test connection</Button>
      </form>
      {outcome.state === 'refused' ? <Notice tone="danger" live className="mt-4">{outcome.message}</Notice> : null}
      {pending || steps ? (
        <ol className="mt-4 divide-y divide-line border-t border-line" aria-busy={pending}>
          {pending || steps === null
            ? AHEAD.map((step) => <StepRow key={step} step={step} result={null} pending />)
            : steps.map((result) => <StepRow key={result.step} step={result.step} result={result} pending={false} />)}
        </ol>
      ) : null}
      <p role="status" className="text-sm not-empty:mt-3">
        {outcome.state === 'tested' && !pending ? verdict(outcome.report) : ''}
      </p>
    </Section>
  );
}

function StepRow({ step, result, pending }: { step: TestStep['step']; result: TestStep | null; pending: boolean }) {
  const look = LOOK[result?.outcome ?? 'skipped'];
  const Icon = pending ? LoaderCircle : look.Icon;
  return (
    <li className="grid grid-cols-[auto_1fr_auto] items-baseline gap-x-3 py-2 text-sm sm:grid-cols-[auto_7rem_5.5rem_1fr_auto]">
      <Icon aria-hidden size={15} className={cx('translate-y-0.5', pending ? 'animate-spin text-muted' : look.className)} />
      <span className="font-medium">{STEPS[step].title}</span>
      <span className={cx('sm:order-none', pending ? 'text-muted' : look.className)}>{pending ? 'waiting' : look.word}</span>
      <span className="col-span-2 col-start-2 min-w-0 text-muted sm:col-span-1 sm:col-start-auto">{result?.message ?? STEPS[step].what}</span>
      <span className="col-start-2 text-muted sm:col-start-auto">{result?.ms === null || result === null ? null : <Duration ms={result.ms} />}</span>
    </li>
  );
}

function verdict(report: ConnectionReport): string {
  if (report.ok) return `The connection works; ${report.model} answered.`;
  const failed = report.steps.find((step) => step.outcome === 'failed');
  if (failed) return `${STEPS[failed.step].title} failed: calls through this connection will fail there too.`;
  const content = report.steps.find(({ step }) => step === 'first_content');
  return content?.outcome === 'warning' ? 'Not proven: the answer was cut.' : 'Not proven: no answer was asked for. Name a model.';
}
