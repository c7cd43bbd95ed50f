import { request as httpRequest, type IncomingMessage } from 'node:http';

export interface Question {
  /** `/v1/chat/completions` unless said. */
  path?: string;
  /** Model name for the gateway: a route. */
  model: string;
  stream: boolean;
  /** More body members. */
  body?: Record<string, unknown>;
  /** The whole body, in place of a chat. */
  message?: object;
  headers?: Record<string, string>;
  /** A token in place of the probe key. */
  token?: string;
  /** Hang up as soon as this says so; asked after every piece of the body and at short intervals. */
  leaveWhen?: (soFar: { body: string }) => boolean;
}

/** One answer, as a client without any library sees it. */
export interface Answer {
  question: Question;
  /** 0 when the connection ended before any status. */
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string;
  bytes: number;
  /** `end`: the body ended as HTTP wants it. `left`: this client hung up. `broken`: the connection was cut. */
  ending: 'end' | 'left' | 'broken';
  callId: string | null;
  /** Ms from the request to the end. */
  durationMs: number;
}

export interface Door {
  /** Origin of this process's own data plane. */
  origin: string;
  token: string;
}

const TIMEOUT_MS = 20_000;
const LEAVE_POLL_MS = 10;

/**
 * POSTs to this process's own data plane on a connection of its own. The address is the product's own
 * listening port, fixed at start; it is not an upstream, and no caller can choose it.
 */
export function askDoor(door: Door, question: Question): Promise<Answer> {
  const text = JSON.stringify(question.message ?? { model: question.model, stream: question.stream, messages: [{ role: 'user', content: 'A probe of the gateway by itself.' }], ...question.body });
  const url = new URL(question.path ?? '/v1/chat/completions', door.origin);
  const from = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let response: IncomingMessage | null = null;
    let over = false;
    const soFar = () => ({ body: Buffer.concat(chunks).toString('utf8') });
    const finish = (ending: Answer['ending']) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      clearInterval(poll);
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      const headers = Object.fromEntries(Object.entries(response?.headers ?? {}).map(([name, value]) => [name, String(value)]));
      resolve({ question, status: response?.statusCode ?? 0, headers, body: soFar().body, bytes, ending, callId: headers['x-ohm-request-id'] ?? null, durationMs: performance.now() - from });
      request.destroy();
    };
    const leaveIfAsked = () => {
      if (!over && question.leaveWhen?.(soFar())) finish('left');
    };
    const request = httpRequest(
      url,
      {
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), authorization: `Bearer ${question.token ?? door.token}`, ...question.headers },
      },
      (res) => {
        response = res;
        res.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          leaveIfAsked();
        });
        res.on('end', () => finish(res.complete ? 'end' : 'broken'));
        res.on('error', () => finish('broken'));
        res.on('close', () => finish('broken'));
      },
    );
    request.on('error', () => finish('broken'));
    const timer = setTimeout(() => finish('broken'), TIMEOUT_MS);
    const poll = question.leaveWhen === undefined ? undefined : setInterval(leaveIfAsked, LEAVE_POLL_MS);
    request.end(text);
  });
}

export interface ReadFrame {
  id?: string;
  model?: string;
  choices?: { delta?: Record<string, unknown>; finish_reason?: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | null;
  error?: { code?: string; type?: string; message?: string; metadata?: Record<string, unknown> };
}

/** A streamed body, taken apart without the product's own reader: what it checks must not check itself. */
export interface ReadStream {
  frames: ReadFrame[];
  /** Non-empty lines that are no `data:` line with JSON in it and not `[DONE]`. */
  strays: string[];
  done: boolean;
  text: string;
  finishReason: string | null;
  error: ReadFrame['error'] | null;
  ids: string[];
  models: string[];
}

export function readStream(body: string): ReadStream {
  const frames: ReadFrame[] = [];
  const strays: string[] = [];
  let done = false;
  for (const line of body.split(/\r?\n/)) {
    if (line === '') continue;
    if (line === 'data: [DONE]') {
      done = true;
      continue;
    }
    const frame = line.startsWith('data: ') ? parsed(line.slice(6)) : null;
    if (frame === null) strays.push(line);
    else frames.push(frame);
  }
  const choices = frames.flatMap((frame) => frame.choices ?? []);
  return {
    frames,
    strays,
    done,
    text: choices.map((choice) => (typeof choice.delta?.content === 'string' ? choice.delta.content : '')).join(''),
    finishReason: choices.map((choice) => choice.finish_reason ?? null).findLast((reason) => reason !== null) ?? null,
    error: frames.find((frame) => frame.error !== undefined)?.error ?? null,
    ids: [...new Set(frames.flatMap((frame) => frame.id ?? []))],
    models: [...new Set(frames.flatMap((frame) => frame.model ?? []))],
  };
}

export interface ReadJson {
  model?: string;
  choices?: { message?: { content?: string | null }; finish_reason?: string | null }[];
  usage?: ReadFrame['usage'];
  error?: { code?: string; type?: string; message?: string };
}

/** A JSON body; empty when it is none. */
export const readJson = (body: string): ReadJson => (parsed(body) as ReadJson | null) ?? {};

function parsed(text: string): ReadFrame | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ReadFrame) : null;
  } catch {
    return null; // not JSON: the caller counts it as a stray line
  }
}
