import { createHmac } from 'node:crypto';
import postgres from 'postgres';

export const APP_ROLE = 'ohm_app';
export const DEFINER_ROLE = 'ohm_definer';

/** The application role's password follows from OHM_SECRET, so that it is stored nowhere. */
export function appPassword(secret: string): string {
  return createHmac('sha256', secret).update('ohm/database/ohm_app').digest('base64url');
}

/**
 * Makes the two roles, or sets them right. `owner` may be a superuser or an ordinary role with CREATEROLE; where
 * an administrator has made the roles beforehand (and given the owner membership in ohm_definer) it needs neither.
 *
 * Roles belong to the whole cluster: two installations on one cluster need the same OHM_SECRET, and several
 * databases may do this at once, hence the retry.
 */
export async function ensureRoles(owner: postgres.Sql, appUrl: string, secret: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await createMissing(owner, secret);
      if (!(await canLogIn(appUrl, secret))) await setPassword(owner, secret);
      return;
    } catch (error) {
      if (!isRace(error) || attempt === 10) throw explained(error);
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt + Math.random() * 50));
    }
  }
}

async function createMissing(owner: postgres.Sql, secret: string): Promise<void> {
  const present = await owner<{ rolname: string }[]>`select rolname from pg_roles where rolname in (${APP_ROLE}, ${DEFINER_ROLE})`;
  const names = present.map((row) => row.rolname);
  if (!names.includes(APP_ROLE)) await owner.unsafe(`create role ${APP_ROLE} login password '${appPassword(secret)}'`);
  if (!names.includes(DEFINER_ROLE)) await owner.unsafe(`create role ${DEFINER_ROLE} nologin`);
  const [member] = await owner<{ yes: boolean }[]>`select pg_has_role(current_user, ${DEFINER_ROLE}, 'usage') as yes`;
  // The owner hands functions over to ohm_definer; that takes membership.
  if (!member?.yes) await owner.unsafe(`grant ${DEFINER_ROLE} to current_user`);
}

/** The password is base64url: nothing in it can end the literal. */
async function setPassword(owner: postgres.Sql, secret: string): Promise<void> {
  await owner.unsafe(`alter role ${APP_ROLE} login password '${appPassword(secret)}'`);
}

async function canLogIn(appUrl: string, secret: string): Promise<boolean> {
  const app = postgres(appUrl, { username: APP_ROLE, password: appPassword(secret), max: 1, connect_timeout: 5, fetch_types: false });
  try {
    await app`select 1`;
    return true;
  } catch (error) {
    if (/^28/.test(String((error as { code?: unknown }).code))) return false;
    throw error;
  } finally {
    await app.end({ timeout: 1 });
  }
}

/** Another process made or altered the same role at the same moment. */
function isRace(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '23505' || code === '42710' || message === 'tuple concurrently updated';
}

function explained(error: unknown): unknown {
  if ((error as { code?: string }).code !== '42501') return error;
  return new Error(
    `DATABASE_URL's role may not make the roles ${APP_ROLE} and ${DEFINER_ROLE}. Give it CREATEROLE, or have an administrator ` +
      `make them (${APP_ROLE} with LOGIN; ${DEFINER_ROLE} granted to DATABASE_URL's role).`,
    { cause: error },
  );
}
