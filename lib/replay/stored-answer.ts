import type { UsageRow } from '../metering/call-row';
import type { StreamEvent } from '../wire';

/** A finished answer as it is kept: what was said and who said it, never what was asked. */
export interface StoredAnswer {
  /** The canonical events, pieces of one text joined. Empty where `body` is there. */
  events: StreamEvent[];
  /** The JSON of an answer that is passed on unread (embeddings); null for answers of a chat. */
  body: string | null;
  origin: Origin;
  usage: UsageRow | null;
  usageSource: 'provider' | 'estimate' | null;
  usageEstimated: (keyof UsageRow)[];
  /** What it cost when it was made, integer nano-USD; null where that is unknown. */
  costNanoUsd?: number | null;
  /** Reason of the first choice. */
  finishReason: string | null;
  /** Wall time, ms since the epoch. */
  storedAtMs: number;
}

/** Who gave the answer: a hit says so in the place of a tier that it asked. */
export interface Origin {
  /** 1-based place in the route. */
  tier: number;
  connectionId: string;
  /** Preset id of the connection. */
  provider: string;
  /** The tier's configured model. */
  model: string;
  /** What the provider called the model; null when it did not say. */
  modelReported: string | null;
  /** The model that the answer's own body named. */
  modelNamed: string;
  /** Hints of the request that got lost on the way to the tier's wire. */
  dropped: readonly string[];
}
