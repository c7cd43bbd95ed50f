import { catalogVendor } from '../providers/catalog';

/** Which connection serves a vendor's catalog models: the oldest where there are several, so that a new one changes nothing. */
export function servingConnections<C extends { id: string; provider: string }>(connections: Iterable<C>): Map<string, C> {
  const serving = new Map<string, C>();
  const oldestFirst = [...connections].sort((a, b) => (a.id < b.id ? -1 : 1)); // ids sort by time of making
  for (const connection of oldestFirst) {
    const vendor = catalogVendor(connection.provider);
    if (vendor !== null && !serving.has(vendor)) serving.set(vendor, connection);
  }
  return serving;
}
