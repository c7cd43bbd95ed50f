import { connect, type Socket } from 'node:net';

/** Where one measured server listens, and what it wants to see. */
export interface Target {
  name: string;
  port: number;
  token: string;
}

export interface Ask {
  /** A route: `instant` is answered at once, `held` is a stream that says one word and waits; others are a suite's own. */
  model: string;
  stream: boolean;
}

export const PATH = '/v1/chat/completions';

export function bodyOf({ model, stream }: Ask): string {
  const messages = [
    { role: 'system', content: 'You are a helpful assistant that answers in a few short words.' },
    { role: 'user', content: 'Say a word or two about the weather in spring.' },
  ];
  return JSON.stringify({ model, messages, temperature: 0.7, ...(stream ? { stream: true } : {}) });
}

/** The whole request, ready to be written to a socket. */
export function requestBytes(target: Target, ask: Ask): Buffer {
  const body = bodyOf(ask);
  const head = [
    `POST ${PATH} HTTP/1.1`,
    `host: 127.0.0.1:${target.port}`,
    `authorization: Bearer ${target.token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

export function connectTo(target: Target): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: target.port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** As little HTTP as a load generator can do with: where does one response on a kept connection end, and was it a 200? */
export interface ResponseEnd {
  /** True with the piece that completes the response. */
  take(piece: Buffer): boolean;
  ok(): boolean;
}

export function responseEnd(): ResponseEnd {
  let head = '';
  let inBody = false;
  let left = 0; // bytes of a body of known length
  let tail: string | null = null; // the last characters of a chunked body
  let ok = false;

  const whole = (): boolean => {
    const done = tail === null ? left <= 0 : tail === LAST_CHUNK;
    if (done) {
      inBody = false;
      head = '';
      tail = null;
    }
    return done;
  };
  const body = (piece: Buffer): boolean => {
    if (tail === null) left -= piece.length;
    else tail = (tail + piece.toString('latin1', Math.max(0, piece.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
    return whole();
  };

  return {
    take(piece) {
      if (inBody) return body(piece);
      const before = head.length;
      head += piece.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return false;
      ok = head.startsWith('HTTP/1.1 200 ');
      const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2));
      inBody = true;
      left = length === null ? 0 : Number(length[1]);
      tail = length === null ? '' : null;
      return body(piece.subarray(end + 4 - before));
    },
    ok: () => ok,
  };
}

const LAST_CHUNK = '\r\n0\r\n\r\n';
