import { createHash } from 'node:crypto';

/** One entry's content, without its hash. */
export interface AuditContent {
  workspaceId: string;
  seq: number;
  at: Date;
  actorKind: string;
  actorId: string;
  action: string;
  target: string;
  before: unknown;
  after: unknown;
  previousHash: string;
}

/** SHA-256 over every column and the previous entry's hash: changing or removing an entry breaks all that follow. */
export function auditHash(entry: AuditContent): string {
  const { workspaceId, seq, at, actorKind, actorId, action, target, before, after, previousHash } = entry;
  const content = canonical([workspaceId, seq, at.toISOString(), actorKind, actorId, action, target, before, after, previousHash]);
  return createHash('sha256').update(content).digest('hex');
}

/** JSON with sorted members, so that what jsonb gives back hashes like what went in. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
