import { createHmac } from 'node:crypto';
import type { KeyConfig, WorkspaceConfig } from '../gateway/ports';
import { openSealed, sealText } from '../replay';
import { deriveKey } from '../tenancy/secret';

/**
 * What a control plane lets an edge know of one key, for a few seconds: enough to find a stored answer and to count
 * it, and nothing of a provider. The entry's time to live is the promise of revocation; `untilMs` holds against
 * somebody who puts an old entry back.
 */
export interface Grant {
  key: Pick<KeyConfig, 'id' | 'replay' | 'limits'>;
  workspace: Pick<WorkspaceConfig, 'id' | 'replay' | 'limits'>;
  /** Those that rewrite the key's requests: also in the names of stored answers. */
  savers: readonly string[];
  /** Wall time after which it counts for nothing, ms since the epoch. */
  untilMs: number;
  /** By the names that the key has called lately. */
  models: Record<string, GrantedModel>;
}

export interface GrantedModel {
  /** The route behind the name as it was then: its mark in the names of stored answers. */
  route: string;
  label: string;
  resolvedBy: 'name' | 'fallback_model';
}

/** Where grants are in the store, and how they read. */
export interface GrantBook {
  /** The entry of a token: tells nothing of it. */
  nameOf(token: string): string;
  seal(name: string, grant: Grant): string;
  /** Null for an entry that is altered, cut, of another name, of another secret, or over. */
  open(name: string, entry: string | null, nowMs: number): Grant | null;
}

export function grantBook(secret: string): GrantBook {
  const [nameKey, sealKey] = [deriveKey(secret, 'edge/grant-name'), deriveKey(secret, 'edge/grant')];
  return {
    nameOf: (token) => `ohm:grant:${createHmac('sha256', nameKey).update(token).digest('base64url')}`,
    seal: (name, grant) => sealText(sealKey, name, Buffer.from(JSON.stringify({ format: FORMAT, ...grant }))),
    open(name, entry, nowMs) {
      const text = entry === null ? null : openSealed(sealKey, name, entry);
      if (text === null) return null;
      const { format, ...grant } = JSON.parse(text) as Grant & { format: unknown };
      return format === FORMAT && grant.untilMs > nowMs ? grant : null;
    },
  };
}

/** Another version's grant is none: its edge forwards until both are of one version. */
const FORMAT = 1;
