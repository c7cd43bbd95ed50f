'use client';

import { Plus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useMemo, useRef, useState, useTransition, type ReactNode } from 'react';
import type { RouteView } from '@/lib/management/schemas';
import { showRefusal } from '@/app/_shell/show-refusal';
import { SignInElsewhere } from '@/app/_shell/sign-in-elsewhere';
import { Button, cx, Notice, Section, TextField, toast } from '@/app/_ui';
import { useUnsavedChanges } from '../../_components/unsaved-changes';
import { createRoute, updateRoute } from '../actions';
import { CodeView } from './code-view';
import { CommitChoice } from './commit-choice';
import type { FailoverPolicy } from './failover-words';
import type { SaveOutcome } from './outcome';
import { bodyOf, canAddTier, draftOf, emptyDraft, emptyTier, isUntypedModel, sameDraft, validate, type DraftErrors, type RouteDraft, type TierDraft } from './route-draft';
import { StaleNotice } from './stale-notice';
import type { ConnectionChoice } from './tier-card';
import { TierList } from './tier-list';

/** Makes a route (`route` null) or edits one. The draft lives here; nothing is saved before "Save". */
export function RouteEditor({
  workspace,
  route,
  connections,
  otherRoutes,
  publicUrl,
  policy,
  mayEdit,
}: {
  workspace: string;
  route: RouteView | null;
  connections: readonly ConnectionChoice[];
  otherRoutes: readonly string[];
  publicUrl: string;
  policy: FailoverPolicy;
  /** False: the same page, nothing can be changed. */
  mayEdit: boolean;
}) {
  const router = useRouter();
  const [base, setBase] = useState(route);
  const start = useMemo(() => (base === null ? emptyDraft(connections[0]?.name ?? '') : draftOf(base)), [base, connections]);
  const [draft, setDraft] = useState<RouteDraft>(start);
  const [tried, setTried] = useState(false);
  const [refusal, setRefusal] = useState<DraftErrors>({});
  const [message, setMessage] = useState<ReactNode>(null);
  const [refusals, setRefusals] = useState(0);
  const [stale, setStale] = useState<RouteView | null>(null);
  const [saving, startSaving] = useTransition();
  const made = useRef(1);
  const form = useRef<HTMLFormElement>(null);

  const problems = useMemo(() => validate(draft, connections.map((connection) => connection.name), otherRoutes), [draft, connections, otherRoutes]);
  const unsaved = !saving && !sameDraft(draft, start);
  useUnsavedChanges('route', unsaved);

  useEffect(() => {
    if (refusals > 0) showRefusal(form.current);
  }, [refusals]);

  function edit(change: Partial<RouteDraft>) {
    setDraft((now) => ({ ...now, ...change }));
    setMessage(null);
    setRefusal((now) => (Object.keys(now).length === 0 ? now : {}));
  }

  function takeBase(current: RouteView) {
    setBase(current);
    setDraft(draftOf(current));
    setStale(null);
    setTried(false);
    setRefusal({});
    setMessage(null);
  }

  // A newer version came with the page (a restore, say): an editor without changes of its own shows it.
  if (route !== null && base !== null && route.revision > base.revision && sameDraft(draft, start)) takeBase(route);

  function save(revision: number | null) {
    if (stale !== null && revision !== stale.revision) return; // the notice above asks which version to keep
    setTried(true);
    if (base !== null && !unsaved && stale === null) return;
    if (Object.keys(problems).length > 0) return refuse(problems, null);
    startSaving(async () => {
      const outcome = base === null || revision === null ? await createRoute(workspace, bodyOf(draft)) : await updateRoute(workspace, base.id, revision, bodyOf(draft));
      settle(outcome);
    });
  }

  function settle(outcome: SaveOutcome) {
    if (outcome.ok) {
      takeBase(outcome.value);
      toast.success(`Saved as revision ${outcome.value.revision}. In force everywhere within 5 s.`);
      if (base === null) router.replace(`/${workspace}/routes/${outcome.value.id}`);
      else router.refresh();
      return;
    }
    if (outcome.kind === 'stale') {
      setStale(outcome.current);
      setMessage(null);
      router.refresh(); // the history below tells of the version in force, too
      return;
    }
    if (outcome.kind === 'signed_out') return refuse({}, <>{outcome.message} <SignInElsewhere /></>);
    refuse(Object.fromEntries(outcome.issues.map((issue) => [issue.field, issue.message])), outcome.message);
  }

  function refuse(errors: DraftErrors, about: ReactNode) {
    if (about !== null) setRefusal(errors);
    const count = Object.keys(errors).length;
    setMessage(about ?? `Not saved: ${count === 1 ? 'one field needs' : `${count} fields need`} another look.`);
    setRefusals((count) => count + 1);
  }

  function addTier() {
    const connection = draft.tiers.at(-1)?.connection ?? connections[0]?.name ?? '';
    edit({ tiers: [...draft.tiers, emptyTier(`new-${made.current++}`, connection)] });
  }

  // What was typed is judged at once; an empty field only when saving was tried.
  const errors = { ...(tried ? problems : worthSaying(problems, draft)), ...refusal };
  return (
    <form
      ref={form}
      noValidate
      // Nothing that gets the focus may hide behind the bar at the foot.
      className="[&_:is(input,select,button,summary)]:scroll-mb-24"
      onSubmit={(event) => {
        event.preventDefault();
        save(base?.revision ?? null);
      }}
    >
      {stale === null ? null : (
        <div className="mb-6">
          <StaleNotice draft={draft} current={stale} busy={saving} onReload={() => takeBase(stale)} onOverwrite={() => save(stale.revision)} />
        </div>
      )}
      {message === null ? null : <div data-refusal className="mb-6 scroll-mt-16"><Notice tone="danger" live>{message}</Notice></div>}
      {mayEdit ? null : <Notice className="mb-6">You can look at this route. Changing it takes the role admin or owner.</Notice>}

      <fieldset disabled={!mayEdit} className="contents">
        <Section title="Route">
          <div className="grid max-w-2xl items-start gap-4 sm:grid-cols-2">
            <TextField
              label="Name"
              hint="Clients write it as the model."
              mono
              value={draft.name}
              error={errors['name']}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => edit({ name: event.target.value })}
            />
            <TextField
              label="Deadline (ms)"
              hint="For all tiers together. 900000 is 15 min."
              inputMode="numeric"
              mono
              value={draft.deadlineMs}
              error={errors['deadline_ms']}
              onChange={(event) => edit({ deadlineMs: event.target.value })}
            />
          </div>
          <div className="mt-4">
            <CommitChoice value={draft.commit} onChange={(commit) => edit({ commit })} />
          </div>
        </Section>

        <Section
          bare
          title="Tiers"
          lead="Tried strictly in this order, one at a time, until one sends content. The order never changes by itself."
        >
          {errors['tiers'] === undefined ? null : <Notice tone="danger" live className="mb-2">{errors['tiers']}</Notice>}
          <TierList tiers={draft.tiers} connections={connections} errors={errors} policy={policy} onChange={(tiers: TierDraft[]) => edit({ tiers })} />
          <div className="mt-2">
            <Button onClick={addTier} aria-disabled={!canAddTier(draft) || undefined}>
              <Plus aria-hidden size={16} />
              Add tier {draft.tiers.length + 1}
            </Button>
          </div>
        </Section>

      </fieldset>

      <CodeView draft={draft} publicUrl={publicUrl} saved={base === null ? null : { id: base.id, revision: base.revision }} />

      {mayEdit ? (
        <SaveBar unsaved={unsaved} saving={saving} revision={base?.revision ?? null} newer={stale?.revision ?? null} onUndo={base === null ? null : () => takeBase(base)} />
      ) : null}
    </form>
  );
}

/** Stays in sight while there is something to save. */
function SaveBar({ unsaved, saving, revision, newer, onUndo }: { unsaved: boolean; saving: boolean; /** The one that was edited; null for a new route. */ revision: number | null; /** Somebody else's, saved in between. */ newer: number | null; onUndo: (() => void) | null }) {
  const pending = unsaved || revision === null;
  if (newer !== null) {
    return (
      <p role="status" className="sticky bottom-0 z-20 -mx-1 mb-6 border-t border-line bg-bg px-1 py-3 text-sm">
        Not saved: revision {newer} is in force. Choose at the top of the page whether to take it or to overwrite it.
      </p>
    );
  }
  return (
    <div className={cx('z-20 -mx-1 mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line bg-bg px-1 py-3', pending && 'sticky bottom-0')}>
      <Button type="submit" variant="primary" busy={saving && 'Saving'} aria-disabled={!pending || undefined}>
        {revision === null ? 'Make route' : `Save as revision ${revision + 1}`}
      </Button>
      {unsaved && onUndo !== null ? <Button variant="quiet" onClick={onUndo}>Undo my changes</Button> : null}
      <p className="text-xs text-muted">
        <span role="status">{unsaved ? 'Not saved yet. ' : revision === null ? '' : `Revision ${revision} is in force. `}</span>
        <span className={pending ? 'hidden sm:inline' : undefined}>A saved edit holds in every process within 5 s; open streams finish on the tiers they began with.</span>
      </p>
    </div>
  );
}

/** An empty field is not scolded before anyone has tried to save. */
function worthSaying(problems: DraftErrors, draft: RouteDraft): DraftErrors {
  return Object.fromEntries(
    Object.entries(problems).filter(([field]) => (field === 'name' ? draft.name.trim() !== '' : !isUntypedModel(draft, field))),
  );
}
