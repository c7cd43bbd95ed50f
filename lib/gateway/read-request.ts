import { utf8Text } from '../std';
import { isFault, type Surface, type UsageWish } from '../surfaces';
import { type Canonical, readJsonObject, scanTopLevel, type TopLevel } from '../wire';
import { type Rejection, rejection } from './rejection';

/** What a client asked for, on whichever surface, checked as far as the gateway itself depends on it. */
export interface ClientRequest {
  readonly surface: Surface;
  /** The client's own text: unknown members and number spellings survive to a provider of the same dialect. */
  readonly text: string;
  readonly parsed: Record<string, unknown>;
  /** Where the top-level members stand in `text`. */
  readonly scan: TopLevel;
  readonly model: string;
  readonly stream: boolean;
  readonly usageWish: UsageWish;
  /** The request itself asks for reasoning. */
  readonly asksForReasoning: boolean;
  /** As a tier of the client's own dialect gets it. `dropped` names what was taken out. */
  own(): { readonly text: string; readonly parsed: Record<string, unknown>; readonly scan: TopLevel; readonly dropped: readonly string[] };
  /** In the canonical language, for tiers of another dialect: made once, when the first such tier is planned. */
  canonical(): Canonical;
  /** No further tier will be asked: of a long conversation, only `parsed` stays for as long as its answer takes. */
  letGo(): void;
}

export function readRequest(surface: Surface, body: Buffer): ClientRequest | Rejection {
  const text = utf8Text(body);
  if (text === null) return invalid(null, 'The request body is not valid UTF-8.', 'invalid_json');
  const json = readJsonObject(text, { once: surface.once });
  if (!json.ok) return invalid(json.param, json.message, json.problem === 'not_json' ? 'invalid_json' : 'invalid_request');
  const read = surface.read(json.value);
  if (isFault(read)) return invalid(read.param, read.message);
  return new Request(surface, text, json.value, json.scan, read.model, read.stream, read.usageWish, read.asksForReasoning);
}

/** The same request with other words in its messages. */
export const rewritten = (request: ClientRequest, text: string, parsed: Record<string, unknown>, scan: TopLevel): ClientRequest =>
  new Request(request.surface, text, parsed, scan, request.model, request.stream, request.usageWish, request.asksForReasoning);

/** A class because there is one per call on the hot path. */
class Request implements ClientRequest {
  private made: Canonical | null = null;
  private cleaned: ReturnType<ClientRequest['own']> | null = null;
  readonly dropped = NOTHING;

  constructor(
    readonly surface: Surface,
    public text: string,
    readonly parsed: Record<string, unknown>,
    public scan: TopLevel,
    readonly model: string,
    readonly stream: boolean,
    readonly usageWish: UsageWish,
    readonly asksForReasoning: boolean,
  ) {}

  own(): ReturnType<ClientRequest['own']> {
    return (this.cleaned ??= this.clean());
  }

  canonical(): Canonical {
    return (this.made ??= this.surface.canonical(this.parsed));
  }

  letGo(): void {
    this.text = '';
    this.scan = NO_SCAN;
    this.made = this.cleaned = null;
  }

  private clean(): ReturnType<ClientRequest['own']> {
    const changed = this.surface.ownText?.(this.text, this.parsed) ?? null;
    if (changed === null) return this;
    return { text: changed.text, parsed: JSON.parse(changed.text) as Record<string, unknown>, scan: scanTopLevel(changed.text), dropped: changed.dropped };
  }
}

const NOTHING: readonly string[] = [];
const NO_SCAN = scanTopLevel('{}');

const invalid = (param: string | null, message: string, code = 'invalid_request'): Rejection =>
  rejection(400, { type: 'invalid_request_error', code, message, param });
