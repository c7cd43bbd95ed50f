'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import type { RouteVersionView, RouteView } from '@/lib/management/schemas';
import { Button, Chip, Notice, Section, Time, toast } from '@/app/_ui';
import { restoreRoute } from '../actions';
import { Differences } from './differences';
import { diffRoutes } from './route-diff';
import { tierWords } from './tier-words';

/** Every revision, newest first, what it changed, and the way back. A restore is a new revision: history only grows. */
export function VersionHistory({ workspace, route, versions, authors, more, mayEdit }: {
  workspace: string;
  route: RouteView;
  versions: readonly RouteVersionView[];
  /** E-mail by user id. */
  authors: Readonly<Record<string, string>>;
  /** There are older ones than these. */
  more: boolean;
  mayEdit: boolean;
}) {
  const router = useRouter();
  const [restoring, startRestoring] = useTransition();
  const [chosen, setChosen] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  function restore(revision: number) {
    setChosen(revision);
    setProblem(null);
    startRestoring(async () => {
      const outcome = await restoreRoute(workspace, route.id, route.revision, revision);
      if (!outcome.ok) {
        setProblem(outcome.kind === 'stale' ? 'Somebody saved this route meanwhile. Reload the page to see it, then restore.' : outcome.message);
        return;
      }
      toast.success(`Revision ${revision} restored as revision ${outcome.value.revision}. In force everywhere within 5 s.`);
      router.refresh();
    });
  }

  return (
    <Section title="History" lead="Every saved revision. Restoring one saves it again as the newest.">
      {problem === null ? null : <Notice tone="danger" live className="mb-3">{problem}</Notice>}
      <ol className="divide-y divide-line">
        {versions.map((version, index) => {
          const before = versions[index + 1];
          const inForce = version.revision === route.revision;
          return (
            <li key={version.revision} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-2 first:pt-0 last:pb-0">
              <div className="min-w-0 flex-1 basis-64">
                <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
                  <span className="font-medium">Revision {version.revision}</span>
                  {inForce ? <Chip tone="good">in force</Chip> : null}
                  <span className="text-xs text-muted">
                    <Time at={version.created_at} /> by {authorWords(version.created_by, authors)}
                  </span>
                </p>
                <details className="text-xs">
                  <summary className="rounded py-1 text-muted hover:text-text">
                    {before === undefined ? (more ? 'What it holds' : 'How it began') : `What changed since revision ${before.revision}`}
                  </summary>
                  <div className="mt-1">
                    {before === undefined ? (
                      <ol className="list-decimal pl-5 font-mono">
                        {version.tiers.map((tier, at) => (
                          <li key={at}>{tierWords(tier)}</li>
                        ))}
                      </ol>
                    ) : (
                      <Differences
                        differences={diffRoutes(before, version)}
                        from={`Revision ${before.revision}`}
                        to={`Revision ${version.revision}`}
                        caption={`What changed in revision ${version.revision}`}
                      />
                    )}
                  </div>
                </details>
              </div>
              {inForce || !mayEdit ? null : (
                <Button size="sm" busy={restoring && chosen === version.revision && 'Restoring'} onClick={() => (restoring ? undefined : restore(version.revision))}>
                  Restore revision {version.revision}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      {more ? <p className="mt-2 text-xs text-muted">Older revisions are in the management API: <code>GET /api/v1/routes/{route.id}/versions</code>.</p> : null}
    </Section>
  );
}

/** `user:user_…` as people say it; somebody who has left the workspace has no address here any more. */
function authorWords(createdBy: string, authors: Readonly<Record<string, string>>): string {
  const [kind, id = ''] = createdBy.split(':');
  if (kind === 'management_key') return `management key …${id.slice(-4)}`;
  return kind === 'system' ? 'the system' : (authors[id] ?? `a former member (…${id.slice(-4)})`);
}
