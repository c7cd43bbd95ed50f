import { isObject } from '../../wire';
import { isTooHeavy } from '../heavy';
import { excerpt } from '../redact';

/** An upstream's error in whatever shape it came, as plain members; nothing is redacted but `message`. */
export interface ErrorBody {
  message: string;
  type: string | null;
  code: string | null;
  param: string | null;
  /** The status that the object itself names (a numeric code), null when none. */
  status: number | null;
  /** Delay that the object itself names, ms. */
  retryAfterMs: number | null;
}

/**
 * Reads `{"error":{…}}`, `{"error":"…"}`, `{"detail":…}`, `{"object":"error",…}`, `{"message","code"}`,
 * `{"error_type",…}`, `{"errors":[…]}`, `[{…}]`, a proxy's HTML and plain text.
 */
export function readErrorBody(text: string): ErrorBody {
  if (isTooHeavy(text)) return { ...EMPTY, message: excerpt(text, MESSAGE_LIMIT) };
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { ...EMPTY, message: excerpt(plain(text), MESSAGE_LIMIT) }; // an error page, not a fault of ours
  }
  return readErrorObject(parsed);
}

export function readErrorObject(parsed: unknown): ErrorBody {
  if (Array.isArray(parsed)) return readErrorObject(parsed[0]);
  if (typeof parsed !== 'object' || parsed === null) return { ...EMPTY, message: excerpt(String(parsed ?? ''), MESSAGE_LIMIT) };
  const outer = parsed as Record<string, unknown>;
  const error = outer.error ?? (Array.isArray(outer.errors) ? outer.errors[0] : undefined) ?? outer.base_resp;
  const inner = isObject(error) ? error : outer;
  const said = typeof error === 'string' ? error : undefined;
  const code = inner.code ?? inner.error_code ?? detailCode(inner) ?? inner.status_code ?? outer.code;
  const named = [inner.status, code, inner.status_code, inner.statusCode, outer.status, outer.status_code, outer.code].map(statusOf).find((status) => status !== null) ?? null;
  return {
    message: excerpt(said ?? messageOf(inner) ?? messageOf(outer) ?? plainly(inner), MESSAGE_LIMIT),
    type: word(inner.type ?? inner.error_type ?? (typeof inner.status === 'string' ? inner.status : undefined) ?? (isObject(inner.metadata) ? inner.metadata.error_type : undefined)),
    code: word(innerCode(inner) ?? code),
    param: word(inner.param),
    status: named,
    retryAfterMs: retryDelayMs(inner),
  };
}

/** Does this object, found where an answer was expected, say that something failed? */
export function saysError(value: Record<string, unknown>): boolean {
  if (value.error) return true;
  if (value.object === 'error') return true;
  if (isObject(value.base_resp) && Number(value.base_resp.status_code) > 0) return true;
  if (Array.isArray(value.choices)) return false;
  if (value.detail !== undefined || value.error_type !== undefined || value.error_code !== undefined || value.error_message !== undefined || value.error_msg !== undefined) return true;
  if (Array.isArray(value.errors) && value.errors.length > 0) return true;
  return value.type === 'error' || (value.message !== undefined && (value.code !== undefined || value.status !== undefined || value.type !== undefined));
}

const MESSAGE_LIMIT = 2000;
const EMPTY: ErrorBody = { message: '', type: null, code: null, param: null, status: null, retryAfterMs: null };

function messageOf(value: Record<string, unknown>): string | undefined {
  const said = value.message ?? value.detail ?? value.error_message ?? value.error_msg ?? value.msg ?? value.status_msg ?? value.title;
  if (typeof said === 'string') return said;
  if (!isObject(said) && !Array.isArray(said)) return undefined;
  const list = Array.isArray(said) ? said : said.detail;
  if (Array.isArray(list)) return list.map(validationSentence).join('; ');
  return plainly(said);
}

/** `{"loc":["body","messages"],"msg":"Field required"}`: the place is worth keeping. */
function validationSentence(item: unknown): string {
  if (!isObject(item)) return plainly(item);
  const place = Array.isArray(item.loc) ? item.loc.map(plainly).join('.') : '';
  return `${place}${place === '' ? '' : ': '}${plainly(item.msg ?? item.message ?? item)}`;
}

/** Any JSON value as text. An object of an upstream's may name its members `toString`, or nest beyond any stack. */
function plainly(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return 'an error that is nested too deep to be shown';
  }
}

/** Azure puts the telling code one level down. */
function innerCode(error: Record<string, unknown>): unknown {
  const inner = error.innererror;
  return isObject(inner) && inner.code === 'ResponsibleAIPolicyViolation' && (error.code === undefined || error.code === null) ? inner.code : undefined;
}

/** Anthropic says there what its type leaves open: `{"type":"rate_limit_error","details":{"error_code":"enforced_spend_limit_reached"}}`. */
function detailCode(error: Record<string, unknown>): unknown {
  return isObject(error.details) ? error.details.error_code : undefined;
}

/** google.rpc.RetryInfo: `"retryDelay":"34s"`. */
function retryDelayMs(error: Record<string, unknown>): number | null {
  if (!Array.isArray(error.details)) return null;
  for (const detail of error.details) {
    const seconds = isObject(detail) && typeof detail.retryDelay === 'string' ? Number.parseFloat(detail.retryDelay) : NaN;
    if (seconds >= 0) return Math.round(seconds * 1000);
  }
  return null;
}

function statusOf(value: unknown): number | null {
  const number = typeof value === 'number' ? value : typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : NaN;
  return number >= 300 && number <= 599 ? number : null;
}

function word(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? excerpt(value, 200) : null;
}

function plain(text: string): string {
  if (!/^\s*</.test(text)) return text;
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1] ?? '';
  return title.trim() === '' ? 'an HTML page' : `an HTML page: ${title}`;
}
