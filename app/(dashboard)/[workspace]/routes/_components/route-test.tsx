'use client';

import { useState, useTransition } from 'react';
import type { RouteReport, RouteView } from '@/lib/management/schemas';
import { Button, Notice, Section } from '@/app/_ui';
import { CallTimeline, TimelineLegend } from '@/app/_ui/timeline';
import { testRoute } from '../actions';
import { drawnReport } from './test-report';

/** One real call down the saved route, by the path that every call takes; or the same with one tier made to fail. */
export function RouteTest({ workspace, route }: { workspace: string; route: RouteView }) {
  const [result, setResult] = useState<{ report: RouteReport; failTier: number | null; revision: number } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [running, startRunning] = useTransition();
  const [chosen, setChosen] = useState<number | null>(null);

  function run(failTier: number | null) {
    setChosen(failTier);
    setProblem(null);
    startRunning(async () => {
      const outcome = await testRoute(workspace, route.id, failTier);
      if (outcome.ok) setResult({ report: outcome.value, failTier, revision: route.revision });
      else setProblem(outcome.message);
    });
  }

  return (
    <Section
      title="Test this chain"
      lead="Sends one short request down the saved revision, by the same path as every call. It reaches the real providers and may cost a fraction of a cent; it leaves no row among the calls and no mark on the tiers’ health."
    >
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" busy={running && chosen === null && 'Testing'} onClick={() => (running ? undefined : run(null))}>
          Test this chain
        </Button>
        {route.tiers.map((tier, index) => (
          <Button key={index} busy={running && chosen === index + 1 && `Testing without tier ${index + 1}`} onClick={() => (running ? undefined : run(index + 1))}>
            Test with tier {index + 1} failing
          </Button>
        ))}
      </div>
      <div aria-live="polite">
        {problem === null ? null : <Notice tone="danger" className="mt-4">{problem}</Notice>}
        {result === null ? null : <Result {...result} commit={route.commit} />}
      </div>
    </Section>
  );
}

function Result({ report, failTier, revision, commit }: { report: RouteReport; failTier: number | null; revision: number; commit: 'first_content' | 'complete' }) {
  return (
    <div className="mt-4">
      <Notice tone={report.ok ? 'good' : 'danger'} title={report.ok ? `Tier ${report.tier} answered in full` : 'No tier answered in full'}>
        {failTier === null ? `Revision ${revision}.` : `Revision ${revision}, with tier ${failTier} made to fail: its provider was not asked.`}
        {report.error_code === null ? null : <> A client would have got <code>{report.error_code}</code>.</>}
      </Notice>
      <div className="mt-4">
        <CallTimeline call={drawnReport(report, commit, failTier)} table />
        <div className="mt-3">
          <TimelineLegend states={['connecting', 'preamble', 'committed', 'finished', 'failed', 'skipped', 'truncated', 'rejected', 'aborted']} />
        </div>
      </div>
      {report.text === '' ? null : (
        <div className="mt-3">
          <p className="text-xs text-muted">The answer</p>
          <pre tabIndex={0} className="mt-1 max-h-40 overflow-auto rounded-md bg-sunken p-3 text-xs whitespace-pre-wrap">{report.text}</pre>
        </div>
      )}
    </div>
  );
}
