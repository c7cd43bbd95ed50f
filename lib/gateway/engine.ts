import type { Quirks } from '../providers';
import type { WireAdapter } from '../providers/adapter';
import type { RewrittenText, SaverWorkers } from '../savers';
import type { Clock } from '../std';
import type { ContentTable } from './attempt/answer';
import type { Bounds } from './attempt/bounds';
import type { HeldBytes } from './held-bytes';
import type { Replay } from '../replay';
import type { CallLog, EdgeDesk, Health, KeyDirectory, LimitGate, Prices } from './ports';
import type { Outbound } from './upstream';

/** What the engine is made of. boot.ts fills it in; tests fill in their own. */
export interface Engine {
  clock: Clock;
  random(): number;
  directory: KeyDirectory;
  ledger: CallLog;
  prices: Prices;
  limits: LimitGate;
  /** The inventory of finished answers. Only asked for keys that keep theirs. */
  replay: Replay;
  /**
   * Threads that rewrite and count; a key of 32 bytes by which a workspace's conversations are told apart; and where
   * rewritten texts are kept for keys that ask for it, which returns at once and never throws.
   */
  saving: { workers: SaverWorkers; conversationKey(workspaceId: string): Buffer; keepTexts(call: { id: string; workspaceId: string; keyId: string }, texts: readonly RewrittenText[]): void };
  health: Health;
  outbound: Outbound;
  held: HeldBytes;
  /** Sizes and times of an attempt; the contract's, unless a test is in a hurry. */
  bounds: Bounds;
  adapterFor(wire: string): WireAdapter;
  /** How a connection's vendor differs from its wire. */
  quirksOf(provider: string): Quirks;
  /** Where sandbox connections go, with their headers for one workspace. */
  sandbox(workspaceId: string): { baseUrl: string; headers: Record<string, string> };
  /** Which events commit a response. The contract's table; a parameter so that a test can break it on purpose. */
  contentTable: ContentTable;
  /** Edges in front of this process. Null: there can be none. */
  edge: EdgeDesk | null;
  /** This installation's name in `Via`: a request that carries it met itself. */
  via: string;
  maxBodyBytes: number;
  draining(): boolean;
  /** An error in our own code: logged, never shown. */
  report(error: unknown): void;
}
