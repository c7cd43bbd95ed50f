import { withWorkspace } from '../db';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { systemClock } from '../std';
import type { Actor, Role } from './actor';
import { addMember } from './members/add-member';
import { createTenancy, type Tenancy } from './tenancy';
import { signUp } from './users';
import { listMemberships } from './workspaces';

export const TEST_PASSWORD = 'yellow bicycle under rain';

export interface TestTenancy extends TestDatabase {
  tenancy: Tenancy;
  /** A person with a workspace of their own, who acts as its owner. */
  person(email?: string): Promise<TestPerson>;
  /** Puts somebody into a workspace, without asking them. */
  enroll(workspaceId: string, userId: string, role: Role): Promise<Actor>;
}

export interface TestPerson {
  userId: string;
  email: string;
  sessionId: string;
  actor: Actor;
  slug: string;
}

let serial = 0;

/** A test database with the tenancy over it. Call it inside `beforeAll`. */
export async function createTestTenancy(): Promise<TestTenancy> {
  const database = await createTestDatabase();
  const tenancy = createTenancy({ db: database.db, secret: database.secret, clock: systemClock });
  return {
    ...database,
    tenancy,
    async person(email = `person${++serial}@example.com`) {
      const { userId, sessionId } = (await signUp(tenancy, { email, password: TEST_PASSWORD }, { address: `192.0.2.${serial % 250}`, userAgent: null }))!;
      const [membership] = await listMemberships(tenancy, userId);
      const { workspace, role } = membership!;
      return { userId, email, sessionId, slug: workspace.slug, actor: { kind: 'user', id: userId, workspaceId: workspace.id, role } };
    },
    async enroll(workspaceId, userId, role) {
      const actor: Actor = { kind: 'user', id: userId, workspaceId, role };
      await withWorkspace(tenancy.db, workspaceId, (tx) => addMember(tx, actor));
      return actor;
    },
  };
}

/** The same actor in another role. */
export const as = (actor: Actor, role: Role): Actor => ({ ...actor, role });
