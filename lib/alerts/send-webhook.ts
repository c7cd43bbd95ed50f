import { checkUrl, type GuardRules, type OutboundClient } from '../outbound';
import { retryAfterMs } from './schedule';
import { webhookHeaders } from './sign';

/** What came of one try. */
export type Outcome =
  | { type: 'delivered'; status: number | null; response: string | null }
  /** `final`: trying again is of no use. `gone`: the receiver wants no more at all. */
  | { type: 'failed'; status: number | null; error: string; response: string | null; retryAfterMs: number | null; final: boolean; gone: boolean }
  | { type: 'not_configured'; error: string };

export interface Webhook {
  url: string;
  id: string;
  body: string;
  secrets: string[];
  /** Wall time, ms. */
  nowMs: number;
}

const LONGEST_MS = 15_000;
const CONNECT_MS = 5_000;
/** Of what a receiver answers. */
const KEPT_BYTES = 1_024;

/** Is this an address that messages may be sent to, as far as its text tells? Saving contacts nobody. */
export function checkWebhookUrl(text: string, rules: GuardRules): { ok: true; url: string } | { ok: false; reason: string } {
  const at = text.indexOf('?');
  const verdict = checkUrl(at === -1 ? text : text.slice(0, at), rules);
  if (!verdict.ok) return verdict;
  if (text.includes('#')) return { ok: false, reason: 'the URL must not have a fragment' };
  const url = new URL(text);
  return { ok: true, url: url.href };
}

/** One try: signed, through the guard, without redirects, in 15 s at most. Never rejects. */
export function sendWebhook(outbound: OutboundClient, { url, id, body, secrets, nowMs }: Webhook): Promise<Outcome> {
  const { origin, pathname, search } = new URL(url);
  const headers = { 'content-type': 'application/json', 'user-agent': 'Ohm-Webhooks/1', ...webhookHeaders(id, Math.floor(nowMs / 1000), body, secrets) };
  return new Promise((resolve) => {
    let status: number | null = null;
    let asked: number | null = null;
    let kept = Buffer.alloc(0);
    const said = () => (kept.length === 0 ? null : printable(kept));
    const failed = (error: string, final = false) => done({ type: 'failed', status, error, response: said(), retryAfterMs: asked, final, gone: status === 410 });
    const timer = setTimeout(() => {
      exchange.abort();
      failed(`no answer within ${LONGEST_MS / 1000} s`);
    }, LONGEST_MS);
    const done = (outcome: Outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const answered = () => {
      if (status !== null && status >= 200 && status < 300) return done({ type: 'delivered', status, response: said() });
      failed(status === 410 ? 'the receiver is gone (410)' : status !== null && status >= 300 && status < 400 ? `a redirect (${status}), which is not followed` : `the receiver answered ${status}`, status === 410);
    };
    const exchange = outbound.open(
      { origin, path: `${pathname}${search}`, method: 'POST', headers, body, guard: 'public', fresh: false, connectTimeoutMs: CONNECT_MS },
      {
        onHead(given, answer) {
          status = given;
          const header = answer.all()['retry-after'];
          asked = retryAfterMs(Array.isArray(header) ? header[0] : header, nowMs);
        },
        onData(chunk) {
          kept = Buffer.concat([kept, chunk.subarray(0, KEPT_BYTES - kept.length)]);
          if (kept.length < KEPT_BYTES) return;
          exchange.abort(); // enough is known; the rest is not even read
          answered();
        },
        onEnd: answered,
        onError({ message, refused }) {
          if (status !== null && status < 300) answered();
          else failed(refused ? `${message}: it is private, or not https, and the operator has not opened it` : message);
        },
      },
    );
  });
}

/** What PostgreSQL stores, and what does no harm in a page. */
const printable = (bytes: Buffer): string => bytes.toString('utf8').replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, '\uFFFD').slice(0, KEPT_BYTES);
