import type { CallRequest, KeyConfig, WorkspaceConfig } from '../gateway/ports';
import type { Clock } from '../std';
import type { Later, Store } from '../stores';
import { STORE_BOUND_MS } from '../stores';
import type { Surface } from '../surfaces';
import { AnswerRecorder, recordingRoom } from './answer-recorder';
import { replayKey, type ReplayScope } from './replay-key';
import { openedAnswers } from './opened-answers';
import { openAnswer, sealAnswer } from './seal';
import type { StoredAnswer } from './stored-answer';

/** Whose answers are asked for: a caller, as far as the inventory goes by it. */
export interface ReplayOwner {
  key: Pick<KeyConfig, 'id' | 'replay'>;
  workspace: Pick<WorkspaceConfig, 'id' | 'replay'>;
}

export interface ReplayAsk {
  caller: ReplayOwner;
  surface: Surface;
  /** The route as it is now: see routeMark. */
  route: string;
  /** The client's request, parsed, its length, and how many values its text holds. */
  body: Readonly<Record<string, unknown>>;
  bodyBytes: number;
  bodyValues: number;
  headers: CallRequest['headers'];
  /** Names of the savers that rewrite this request before it is sent. */
  savers: readonly string[];
}

export interface Replay {
  /** The call's place in the inventory. Null: it has none, and neither reads nor writes. */
  place(ask: ReplayAsk): ReplayPlace | null;
}

/** Where one call's answer would be, for as long as the call lasts. */
export interface ReplayPlace {
  /** What is kept there; null for nothing that can be served. Waits at most 20 ms; never rejects. */
  find(): Later<StoredAnswer | null>;
  /** For one attempt. */
  recorder(): AnswerRecorder;
  /** Waits at most what `find` has left of the 20 ms; never rejects. What takes longer still arrives. */
  keep(answer: StoredAnswer): Later<void>;
}

export interface ReplayOptions {
  store: Store;
  clock: Clock;
  /** A key of 32 bytes for one workspace and purpose, always the same. */
  workspaceKey(workspaceId: string, purpose: 'replay/name' | 'replay/seal'): Buffer;
}

/** Longer requests are not looked for: writing them canonically would hold everybody up. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** The inventory of finished answers. One for streams and JSON. */
export function createReplay({ store, clock, workspaceKey }: ReplayOptions): Replay {
  const room = recordingRoom();
  const opened = openedAnswers();

  return {
    place({ caller, surface, route, body, bodyBytes, bodyValues, headers, savers }) {
      const { key, workspace } = caller;
      if (!key.replay.enabled || bodyBytes > MAX_BODY_BYTES || !isReplayable(surface, body)) return null;
      const name = replayKey(workspaceKey(workspace.id, 'replay/name'), scopeOf(caller), { surface: surface.id, body, values: bodyValues, headers: namedHeaders(surface, headers), route, savers });
      return name === null ? null : placeAt(name, key.replay.ttlS * 1_000, workspace.id);
    },
  };

  function placeAt(name: string, ttlMs: number, workspaceId: string): ReplayPlace {
    let spentMs = 0;
    const sealKey = () => workspaceKey(workspaceId, 'replay/seal');

    const read = (entry: string | null): StoredAnswer | null => {
      if (entry === null) return null;
      const answer = opened.get(name, entry) ?? openAnswer(sealKey(), name, entry);
      if (answer !== null) opened.keep(name, entry, answer);
      // A time to live that was shortened since holds for what is kept already.
      return answer === null || clock.now() - answer.storedAtMs > ttlMs ? null : answer;
    };

    return {
      find() {
        if (!store.up) return null;
        const from = clock.monotonic();
        const found = store.get(name);
        if (!(found instanceof Promise)) return read(found);
        const spent = () => void (spentMs = clock.monotonic() - from);
        return found.then(
          (entry) => {
            spent();
            return read(entry);
          },
          () => {
            spent();
            return null; // a store that does not answer has nothing
          },
        );
      },
      recorder: () => new AnswerRecorder(room),
      keep(answer) {
        const entry = store.up ? sealAnswer(sealKey(), name, answer) : null;
        if (entry === null) return;
        const kept = store.set(name, entry, ttlMs);
        if (!(kept instanceof Promise)) return;
        return atMost(STORE_BOUND_MS - spentMs, kept);
      },
    };
  }
}

/** Both generations are in each: a purge of the workspace reaches every key's own answers too. */
function scopeOf({ key, workspace }: ReplayOwner): ReplayScope {
  const { generation, sharedGeneration } = workspace.replay;
  return key.replay.scope === 'workspace'
    ? { kind: 'workspace', workspaceId: workspace.id, generation: `${generation}.${sharedGeneration}` }
    : { kind: 'key', keyId: key.id, generation: `${generation}.${key.replay.generation}` };
}

/**
 * Chats and embeddings can be served again. Not one that the provider is to keep under its own id, which a replay
 * could not be found by.
 */
function isReplayable({ operation }: Surface, body: ReplayAsk['body']): boolean {
  return (operation === 'chat' || operation === 'embeddings') && body.store !== true && body.background !== true;
}

function namedHeaders(surface: Surface, headers: ReplayAsk['headers']): Record<string, string> {
  const named: Record<string, string> = {};
  for (const name of surface.answerHeaders ?? NO_HEADERS) {
    const value = headers[name];
    if (value !== undefined) named[name] = String(value);
  }
  return named;
}

const NO_HEADERS: readonly string[] = [];

function atMost(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms));
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done); // an entry that could not be kept is a miss later
  });
}
