import type { ConnectionConfig, WorkspacePrice } from '../../gateway/ports';
import type { Tenancy } from '../tenancy';
import type { ConnectionRow } from './rows';

/** The connection as the engine takes it, for calls that come from a test and not through a key. */
export function connectionConfig(tenancy: Tenancy, row: ConnectionRow, prices: WorkspacePrice[]): ConnectionConfig {
  const { apiKeySealed: sealed } = row;
  const owner = { workspaceId: row.workspaceId, recordId: row.id, version: row.keyVersion };
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    provider: row.provider,
    wire: row.wire,
    baseUrl: row.baseUrl,
    kind: row.kind,
    apiKey: () => (sealed === null ? null : tenancy.keyring.open(sealed, owner)),
    prices,
    revision: row.revision,
  };
}
