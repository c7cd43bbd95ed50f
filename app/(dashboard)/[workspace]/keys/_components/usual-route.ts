/** The default that is proposed for a new key: the oldest route, which a route made later does not displace. Ids sort by time of making. */
export function usualRoute(routes: readonly { id: string; name: string }[]): string | null {
  let oldest: { id: string; name: string } | null = null;
  for (const route of routes) if (oldest === null || route.id < oldest.id) oldest = route;
  return oldest?.name ?? null;
}
