import type postgres from 'postgres';

export interface ConfigChanges {
  /** Resolves when it listens for the first time. */
  listening: Promise<void>;
  subscribe(listener: (workspaceId: string | null) => void): () => void;
  /** Calls every listener of this process. */
  tell(workspaceId: string | null): void;
  close(): Promise<void>;
}

/**
 * LISTEN on the channel that the database notifies by trigger whenever something changes that a call depends on.
 * postgres.js listens on a connection of its own and again after it was cut; what was said meanwhile is lost,
 * so subscribers then hear null. A connection that has gone mute is not noticed here: readers keep a short
 * time to live as well.
 */
export function listenForConfigChanges(client: postgres.Sql): ConfigChanges {
  const listeners = new Set<(workspaceId: string | null) => void>();
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  const tell = (workspaceId: string | null) => listeners.forEach((listener) => listener(workspaceId));

  let begun = () => {};
  const listening = new Promise<void>((resolve) => (begun = resolve));
  const onListen = () => {
    begun();
    tell(null);
  };

  const start = () => {
    client.listen('ohm_config', tell, onListen).catch(() => {
      if (!closed) retry = setTimeout(start, 1_000); // the database was away when it was first asked
    });
  };
  start();

  return {
    listening,
    tell,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      listeners.clear();
      await client.end({ timeout: 1 });
    },
  };
}
