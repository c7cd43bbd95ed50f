'use server';

import { presentMember } from '@/app/_auth/session';
import { SIGNED_OUT } from '@/app/_shell/form-state';
import { runtime } from '@/lib/boot';
import { testRoute as runRouteTest, routeCreate, routeRestore, routeTest, routeUpdate, type RouteView } from '@/lib/management';
import { isRefusal, type Issue } from '@/lib/std';
import * as verbs from '@/lib/tenancy';
import type { Outcome, SaveOutcome, TestOutcome } from './_components/outcome';
import { refusalWords } from './_components/tier-words';

/** Each action parses with the API's own schema, then calls the API's own verb. */

export async function createRoute(workspace: string, body: unknown): Promise<SaveOutcome> {
  const member = await presentMember(workspace);
  if (member === null) return GONE;
  const parsed = routeCreate.safeParse(body);
  if (!parsed.success) return malformed(parsed.error.issues);
  const { tenancy } = await runtime();
  return await attempt(() => verbs.createRoute(tenancy, member.actor, parsed.data));
}

/** `revision`: the one that the edit was made on. Stale answers carry the version in force. */
export async function updateRoute(workspace: string, id: string, revision: number, body: unknown): Promise<SaveOutcome> {
  const member = await presentMember(workspace);
  if (member === null) return GONE;
  const parsed = routeUpdate.safeParse(body);
  if (!parsed.success) return malformed(parsed.error.issues);
  const { tenancy } = await runtime();
  return await attempt(
    () => verbs.updateRoute(tenancy, member.actor, { id, revision, change: parsed.data }),
    () => verbs.getRoute(tenancy, member.actor, { id }),
  );
}

export async function restoreRoute(workspace: string, id: string, revision: number, version: number): Promise<SaveOutcome> {
  const member = await presentMember(workspace);
  if (member === null) return GONE;
  const parsed = routeRestore.safeParse({ revision: version });
  if (!parsed.success) return malformed(parsed.error.issues);
  const { tenancy } = await runtime();
  return await attempt(
    () => verbs.restoreRoute(tenancy, member.actor, { id, revision, version: parsed.data.revision }),
    () => verbs.getRoute(tenancy, member.actor, { id }),
  );
}

export async function deleteRoute(workspace: string, id: string, revision: number): Promise<Outcome<null>> {
  const member = await presentMember(workspace);
  if (member === null) return GONE;
  const { tenancy } = await runtime();
  return await attempt(async () => {
    await verbs.deleteRoute(tenancy, member.actor, { id, revision });
    return null;
  });
}

/** One real call down the saved route; `failTier` is 1-based and never asked. */
export async function testRoute(workspace: string, id: string, failTier: number | null): Promise<TestOutcome> {
  const member = await presentMember(workspace);
  if (member === null) return GONE;
  const parsed = routeTest.safeParse({ fail_tier: failTier });
  if (!parsed.success) return malformed(parsed.error.issues);
  const services = await runtime();
  return await attempt(() => runRouteTest(services, member.actor, { id, ...parsed.data }));
}

const GONE = { ok: false, kind: 'signed_out', message: SIGNED_OUT } as const;

/** Turns what is the person's to mend into a value; anything else is thrown on and has its own page. */
async function attempt<T>(run: () => Promise<T>, current?: () => Promise<RouteView>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === 'stale' && current !== undefined) {
      return { ok: false, kind: 'stale', message: error.message, current: await current() };
    }
    return { ok: false, kind: 'refused', message: refusalWords(error.message), issues: error.issues.map(spoken) };
  }
}

function malformed(issues: readonly { path: PropertyKey[]; message: string }[]): { ok: false; kind: 'refused'; message: string; issues: Issue[] } {
  return {
    ok: false,
    kind: 'refused',
    message: 'Not saved: something in it is not as it must be.',
    issues: issues.map((issue) => spoken({ field: issue.path.map(String).join('.'), message: issue.message })),
  };
}

/** Schemas write "must be …"; beside a field that reads as a sentence. */
function spoken({ field, message }: Issue): Issue {
  return { field, message: `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.?!]$/.test(message) ? '' : '.'}` };
}
