import { getWorkspace, mayAct, workspaceBudgets, workspaceRates, type Actor } from '@/lib/tenancy';
import { runtime } from '@/lib/boot';
import { WORKSPACE_NAME_MAX_LENGTH } from '@/lib/management/schemas';
import { Section } from '@/app/_ui';
import { LimitsLeft } from '../_limits/limits-left';
import { renameAction, saveLimitsAction } from './actions';
import { WorkspaceLimitsForm, WorkspaceNameForm } from './forms';

/** Rates and budgets of all keys together: what is left of them, and for an admin the forms of the workspace itself. */
export async function WorkspaceLimits({ actor, slug }: { actor: Actor; slug: string }) {
  const { tenancy, standings } = await runtime();
  const [workspace, rates, budgets] = await Promise.all([getWorkspace(tenancy, actor), workspaceRates(tenancy, standings, actor), workspaceBudgets(tenancy, actor)]);
  return (
    <div className="grid items-start gap-x-6 xl:grid-cols-2">
      <LimitsLeft rates={rates.data} budgets={budgets.data} of="workspace" />
      {mayAct(actor.role, 'admin') ? (
        <Section title="Edit limits" lead="Takes effect in every process within 5 seconds.">
          <WorkspaceLimitsForm action={saveLimitsAction.bind(null, slug, workspace.revision)} revision={workspace.revision} defaults={workspace.limits} />
        </Section>
      ) : null}
      {mayAct(actor.role, 'admin') ? (
        <Section title="Workspace">
          <WorkspaceNameForm action={renameAction.bind(null, slug, workspace.revision)} name={workspace.name} maxLength={WORKSPACE_NAME_MAX_LENGTH} />
        </Section>
      ) : null}
    </div>
  );
}
