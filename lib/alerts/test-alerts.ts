import { afterAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../db/test-database';
import { openLedger, type CallRow, type Ledger } from '../metering';
import { admitted, attempt, finished } from '../metering/fixtures';
import { createOutbound, parseAllowRules, type OutboundClient } from '../outbound';
import { systemClock } from '../std';
import type { Actor } from '../tenancy';
import { bootstrap } from '../tenancy/bootstrap';
import { createTenancy, type Tenancy } from '../tenancy/tenancy';
import type { DeliverOptions } from './deliver';
import { deliverNext } from './deliver';
import { lookAtWorkspace } from './look';
import { createMailer, type Mailer } from './send-mail';
import type { AlertServices } from './rule-verbs';

/** Alerts over a real database, looked at by hand and at chosen moments. */
export interface TestAlerts extends TestDatabase {
  tenancy: Tenancy;
  services: AlertServices;
  ledger: Ledger;
  outbound: OutboundClient;
  actor: Actor;
  workspaceId: string;
  /** Looks at the workspace as if it were so many seconds after the test file began. Throws what goes wrong in it. */
  look(atS: number): Promise<void>;
  /** Makes a try for every message that waits, however long it should. */
  deliver(mailer?: Mailer): Promise<void>;
  options(mailer?: Mailer): DeliverOptions;
  /** The moment of second 0, an hour ago: what happens in a test is all in the past. */
  at(s: number): Date;
  /** Writes the ledger row of a call that ended then. */
  call(atS: number, change?: Partial<CallRow>): Promise<CallRow>;
}

export const PUBLIC_URL = 'https://ohm.example';

/** Call it inside `beforeAll`. */
export async function createTestAlerts(): Promise<TestAlerts> {
  const database = await createTestDatabase();
  const rules = { allow: parseAllowRules('127.0.0.0/8'), ownPorts: [] };
  const tenancy = createTenancy({ db: database.db, secret: database.secret, guardRules: () => rules });
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const ledger = await openLedger({ dataDir: null, db: database.db, clock: systemClock, log: silent });
  const outbound = createOutbound({ allowPrivate: rules.allow, ownPorts: () => [], sandbox: () => null });
  const noMail = createMailer(null);
  afterAll(async () => {
    await outbound.close();
    await ledger.close();
    await tenancy.close();
  });
  const made = await bootstrap(tenancy, { email: 'owner@example.com', password: 'a long enough passphrase', workspace: 'acme' });
  const workspaceId = made.workspace.id;
  const zero = Date.now() - 3_600_000;
  const at = (s: number) => new Date(zero + s * 1000);
  const options = (mailer = noMail): DeliverOptions => ({ db: database.db, keyring: tenancy.keyring, outbound, mailer, clock: systemClock, random: () => 0.5 });
  return {
    ...database,
    tenancy,
    services: { tenancy, env: { publicUrl: PUBLIC_URL } },
    ledger,
    outbound,
    workspaceId,
    actor: { kind: 'user', id: made.user.id, workspaceId, role: 'owner' },
    at,
    options,
    async look(s) {
      const failures: unknown[] = [];
      await lookAtWorkspace({ db: database.db, publicUrl: PUBLIC_URL, report: (error) => failures.push(error) }, workspaceId, at(s));
      if (failures.length > 0) throw failures[0];
    },
    async deliver(mailer) {
      await database.owner`update alert_deliveries set next_try_at = now() - interval '1 second' where state = 'queued'`;
      while (await deliverNext(options(mailer)));
    },
    async call(atS, change = {}) {
      const row = finished(admitted({ workspace_id: workspaceId, key_id: 'key_1', created_at: new Date(at(atS).getTime() - 800).toISOString() }), { finished_at: at(atS).toISOString(), ...change });
      await ledger.settle(row);
      return row;
    },
  };
}

/** What a call looks like that a tier failed before content and another one answered. */
export function rerouted(cls: NonNullable<ReturnType<typeof attempt>['class']>, more: Partial<ReturnType<typeof attempt>> = {}): Partial<CallRow> {
  return { tier: 2, alert_class: `${cls}.before_content`, attempts: [attempt({ state: 'failed', class: cls, bytes: 0, upstream_status: 429, ...more }), attempt({ tier: 2 })] };
}

/** And one that was cut after content. */
export function cut(cls: NonNullable<ReturnType<typeof attempt>['class']>, more: Partial<ReturnType<typeof attempt>> = {}): Partial<CallRow> {
  return { state: 'truncated', error_code: 'stream_truncated', alert_class: `${cls}.after_content`, attempts: [attempt({ state: 'truncated', class: cls, bytes: 5_312, upstream_status: 429, ...more })] };
}
