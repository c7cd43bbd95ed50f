/** What reached the sandbox: the other side's word on how often an upstream was contacted, and when. */
export interface Contact {
  workspaceId: string;
  /** The model name as asked: the script. */
  script: string;
  stream: boolean;
  /** Monotonic ms (performance.now of this process). */
  startedAtMs: number;
  /** Null while the answer is open. */
  endedAtMs: number | null;
  /**
   * `open`, then one of: `answered` (all of it has left), `cut` (the script broke the connection), `client_left`,
   * `expired` (the 60 s bound), `refused` (bad script, too many open).
   */
  outcome: 'open' | 'answered' | 'cut' | 'client_left' | 'expired' | 'refused';
  /** What was said so far. */
  promptTokens: number;
  completionTokens: number;
  reasoningTokens: number;
}

const KEPT_PER_WORKSPACE = 200;
const KEPT_WORKSPACES = 500;

/** The last contacts of each workspace, oldest first, in memory. */
export function contactLog() {
  const byWorkspace = new Map<string, Contact[]>();
  return {
    add(contact: Contact): void {
      const list = byWorkspace.get(contact.workspaceId) ?? [];
      list.push(contact);
      if (list.length > KEPT_PER_WORKSPACE) list.shift();
      // Moved to the end, so that the first entry is the workspace that was quiet the longest.
      byWorkspace.delete(contact.workspaceId);
      byWorkspace.set(contact.workspaceId, list);
      if (byWorkspace.size > KEPT_WORKSPACES) byWorkspace.delete(byWorkspace.keys().next().value!);
    },
    of(workspaceId: string | undefined): Contact[] {
      if (workspaceId !== undefined) return [...(byWorkspace.get(workspaceId) ?? [])];
      return [...byWorkspace.values()].flat().sort((a, b) => a.startedAtMs - b.startedAtMs);
    },
  };
}
