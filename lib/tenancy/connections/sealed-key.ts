import type { Tenancy } from '../tenancy';

/** Shorter credentials show nothing of themselves: four characters of them would be too much. */
const SHOWN_FROM = 12;

/** The columns of a credential: sealed for this very record and version, and its end to recognise it by. */
export function sealedKey(
  tenancy: Tenancy,
  owner: { workspaceId: string; id: string; keyVersion: number },
  apiKey: string | null,
): { apiKeySealed: string | null; apiKeyLast4: string | null } {
  if (apiKey === null) return { apiKeySealed: null, apiKeyLast4: null };
  return {
    apiKeySealed: tenancy.keyring.seal(apiKey, { workspaceId: owner.workspaceId, recordId: owner.id, version: owner.keyVersion }),
    apiKeyLast4: apiKey.length < SHOWN_FROM ? null : apiKey.slice(-4),
  };
}
