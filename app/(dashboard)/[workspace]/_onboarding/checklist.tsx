'use client';

import { Check, Circle, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button, cx, LinkButton, Notice, Section } from '@/app/_ui';
import type { Snippet } from '@/app/_shell/snippets';
import { SnippetTabs } from '@/app/_shell/snippet-tabs';
import { useProgress } from './listen';
import type { Problem, Progress, Step } from './steps';

/** Shown until the first call is in; then it turns green and stays for this visit. */
export function Checklist({ workspace, initial, snippets }: { workspace: string; initial: Progress; snippets: Snippet[] }) {
  const { progress, reachable } = useProgress(workspace, initial);
  const [wasDone] = useState(initial.done);
  if (wasDone) return null;
  const current = progress.steps.find((step) => !step.done)?.id;
  return (
    <Section title={progress.done ? 'Set up: the first call came through' : 'Set up in four steps'} bare>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
        {progress.steps.map((step) => (
          <StepRow key={step.id} step={step} current={step.id === current} problem={progress.problem?.step === step.id ? progress.problem : null} workspace={workspace}>
            {step.id === 'call' && step.id === current ? <Listening snippets={snippets} reachable={reachable} workspace={workspace} /> : null}
          </StepRow>
        ))}
      </ol>
      <p role="status" className="sr-only">{progress.done ? 'The first call came through.' : (progress.problem?.text ?? '')}</p>
    </Section>
  );
}

function StepRow({ step, current, problem, workspace, children }: { step: Step; current: boolean; problem: Problem | null; workspace: string; children: ReactNode }) {
  const Icon = problem ? TriangleAlert : step.done ? Check : current && step.id === 'call' ? LoaderCircle : Circle;
  return (
    <li className="flex gap-3 p-4" aria-current={current ? 'step' : undefined} data-step={step.id} data-done={step.done}>
      <span className={cx('mt-0.5 grid size-5 shrink-0 place-items-center rounded-full', problem ? 'text-warning' : step.done ? 'bg-good-soft text-good' : current ? 'text-accent' : 'text-muted')}>
        <Icon aria-hidden size={step.done && !problem ? 14 : 16} className={cx(current && step.id === 'call' && !problem && 'motion-safe:animate-spin')} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h3 className="text-sm font-medium">{step.title}<span className="sr-only">{step.done ? ', done' : current ? ', next' : ', to do'}</span></h3>
            <p className="text-sm text-muted">{step.text}</p>
          </div>
          {step.action ? <LinkButton href={`/${workspace}${step.action.path}`} size="sm" variant={current ? 'primary' : 'secondary'}>{step.action.label}</LinkButton> : null}
        </div>
        {problem ? (
          <Notice tone="warning" className="mt-3" action={
            <span className="flex flex-wrap gap-2">
              <LinkButton size="sm" href={`/${workspace}${problem.fix.path}`}>{problem.fix.label}</LinkButton>
              {problem.fix.path.startsWith('/calls/') ? null : <LinkButton size="sm" variant="quiet" href={`/${workspace}/calls/${problem.callId}`}>See the call</LinkButton>}
            </span>
          }>
            {problem.text}
          </Notice>
        ) : null}
        {children}
      </div>
    </li>
  );
}

function Listening({ snippets, reachable, workspace }: { snippets: Snippet[]; reachable: boolean; workspace: string }) {
  return (
    <div className="mt-3">
      {reachable ? null : (
        <Notice tone="danger" live className="mb-3" action={<Button size="sm" onClick={() => window.location.reload()}>Reload</Button>}>This page does not reach the gateway at the moment. It goes on asking.</Notice>
      )}
      <SnippetTabs snippets={snippets} title="Put your key in its place" />
      <p className="mt-2 text-xs text-muted">
        An answer of 401 means that the key is not one of this workspace: look at the <a className="link" href={`/${workspace}/keys`}>keys</a> or issue another.
      </p>
    </div>
  );
}
