import { eq } from 'drizzle-orm';
import { withWorkspace } from '../db';
import { users } from '../db/schema';
import { isRefusal, newId, Refusal } from '../std';
import type { Actor } from './actor';
import { createManagementKey } from './management-keys';
import { mayAct } from './require-role';
import type { Tenancy } from './tenancy';
import { hashPassword, passwordMatches } from './users/password-hash';
import { normalEmail, passwordLengthProblem, passwordProblem } from './users/rules';
import { createWorkspace } from './workspaces/create-workspace';
import { furnishWorkspace, workspaceName } from './workspaces/furnish-workspace';
import { listMemberships } from './workspaces/list-memberships';

export interface Bootstrapped {
  user: { id: string; email: string; made: boolean };
  workspace: { id: string; slug: string; name: string; made: boolean };
  /** The token of a new management key with the person's own role. Shown once. */
  managementKey: string;
  /** Why sign-up would have called the password guessable, or null: whoever runs this owns the machine, and is told. */
  passwordWarning: string | null;
}

/**
 * A person, a workspace of theirs and a management key for it, from the operator's command line.
 *
 * May be run again: a person who exists is used when the password is theirs (`unauthenticated` otherwise), a
 * workspace of theirs with that name or slug is used when they administer it (`forbidden` otherwise). The
 * management key is a new one each time, since no token can be shown twice.
 */
export async function bootstrap(tenancy: Tenancy, input: { email: string; password: string; workspace: string }): Promise<Bootstrapped> {
  const email = normalEmail(input.email);
  const name = workspaceName(input.workspace, email);
  if (input.workspace.trim() === '') throw wrong('workspace', 'must not be empty');
  const known = await userOf(tenancy, email);
  if (known !== null && !(await passwordMatches(known.passwordHash, input.password))) {
    throw new Refusal('unauthenticated', `${email} has an account, and this is not its password.`);
  }
  const tooShortOrLong = known === null ? passwordLengthProblem(input.password) : null;
  if (tooShortOrLong !== null) throw wrong('password', tooShortOrLong);
  const made = known === null ? await makeAccount(tenancy, email, input.password, name) : null;
  const userId = known?.id ?? made!.userId;
  const { role, ...workspace } = made === null ? await workspaceOf(tenancy, { id: userId, email }, name) : { ...made.workspace, role: 'owner' as const };
  const actor: Actor = { kind: 'user', id: userId, workspaceId: workspace.id, role };
  return {
    user: { id: userId, email, made: made !== null },
    workspace,
    managementKey: await freshKey(tenancy, actor),
    passwordWarning: made === null ? null : passwordProblem(input.password, email),
  };
}

async function userOf(tenancy: Tenancy, email: string): Promise<{ id: string; passwordHash: string } | null> {
  const [row] = await tenancy.db.unscoped((queries) =>
    queries.select({ id: users.id, passwordHash: users.passwordHash }).from(users).where(eq(users.email, email)),
  );
  return row ?? null;
}

async function makeAccount(tenancy: Tenancy, email: string, password: string, name: string) {
  const [userId, workspaceId] = [newId('user'), newId('ws')];
  const passwordHash = await hashPassword(password);
  const slug = await withWorkspace(tenancy.db, workspaceId, async (tx) => {
    const made = await tx.insert(users).values({ id: userId, email, passwordHash }).onConflictDoNothing({ target: users.email }).returning({ id: users.id });
    if (made.length === 0) throw new Refusal('conflict', `${email} has just been made by somebody else. Run it again.`);
    return await furnishWorkspace(tx, { workspaceId, name, ownerId: userId });
  });
  return { userId, workspace: { id: workspaceId, slug, name, made: true } };
}

async function workspaceOf(tenancy: Tenancy, user: { id: string; email: string }, name: string) {
  const memberships = await listMemberships(tenancy, user.id);
  const found = memberships.find(({ workspace }) => workspace.name === name) ?? memberships.find(({ workspace }) => workspace.slug === name);
  if (found === undefined) return { ...(await createWorkspace(tenancy, user, { name })), made: true, role: 'owner' as const };
  if (!mayAct(found.role, 'admin')) throw new Refusal('forbidden', `${user.email} is ${found.role} in "${name}": a management key needs an admin.`);
  return { ...found.workspace, made: false, role: found.role };
}

/** Named `bootstrap`, `bootstrap 2`, and so on: names of living keys are unique. */
async function freshKey(tenancy: Tenancy, actor: Actor): Promise<string> {
  for (let n = 1; ; n++) {
    try {
      const { key } = await createManagementKey(tenancy, actor, { name: n === 1 ? 'bootstrap' : `bootstrap ${n}`, role: actor.role, expires_at: null });
      return key;
    } catch (error) {
      const nameTaken = isRefusal(error) && error.code === 'conflict' && error.issues.some((issue) => issue.field === 'name');
      if (!nameTaken) throw error;
    }
  }
}

function wrong(field: string, message: string): Refusal {
  return new Refusal('invalid', `${field}: ${message}.`, [{ field, message }]);
}
