import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** What to do with the Content-Encoding of an answer. A chain of encodings is refused. */
export type Encoding = 'identity' | 'gzip' | 'br' | 'deflate' | 'unsupported';

export function encodingOf(headers: readonly string[]): Encoding {
  if (headers.length === 0) return 'identity';
  const name = headers.join().trim().toLowerCase();
  if (name === '' || name === 'identity') return 'identity';
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  return name === 'br' || name === 'deflate' ? name : 'unsupported';
}

export interface Decoder {
  /** False: wait for `onDrain` before writing more. */
  write(chunk: Buffer): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  destroy(): void;
}

export interface DecoderEvents {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onDrain(): void;
  onError(code: string, message: string): void;
}

/**
 * Decodes one answer. Output is bounded by back-pressure (`pause` stops the decoder, a full decoder stops the
 * socket), and a body that unpacks to far more than it weighs is given up on as a bomb.
 */
export function createDecoder(encoding: 'gzip' | 'br' | 'deflate', events: DecoderEvents): Decoder {
  let stream: ReturnType<typeof open> | null = null;
  let paused = false;
  let bytesIn = 0;
  let bytesOut = 0;

  function started(first: Buffer) {
    const opened = open(encoding, first);
    opened.on('data', (chunk: Buffer) => {
      bytesOut += chunk.length;
      if (bytesOut > BOMB_BYTES && bytesOut > bytesIn * BOMB_RATIO) {
        opened.destroy();
        events.onError('decoding_bomb', 'the compressed body unpacks to far more than it weighs');
        return;
      }
      events.onData(chunk);
    });
    opened.on('drain', events.onDrain);
    opened.on('end', events.onEnd);
    opened.on('error', () => events.onError('decoding_failed', `the body is not valid ${encoding}`));
    if (paused) opened.pause();
    return opened;
  }

  return {
    write(chunk) {
      bytesIn += chunk.length;
      stream ??= started(chunk);
      return stream.write(chunk);
    },
    end() {
      if (stream === null) events.onEnd();
      else stream.end();
    },
    pause() {
      paused = true;
      stream?.pause();
    },
    resume() {
      paused = false;
      stream?.resume();
    },
    destroy() {
      stream?.destroy();
    },
  };
}

const BOMB_BYTES = 16 * 1024 * 1024;
const BOMB_RATIO = 100;
const OPTIONS = { chunkSize: 65_536 }; // each chunk is a trip through the thread pool

function open(encoding: 'gzip' | 'br' | 'deflate', first: Buffer) {
  if (encoding === 'gzip') return createGunzip(OPTIONS);
  if (encoding === 'br') return createBrotliDecompress(OPTIONS);
  // "deflate" means zlib framing, but some servers send the raw format: the first byte tells.
  return (first[0]! & 0x0f) === 8 ? createInflate(OPTIONS) : createInflateRaw(OPTIONS);
}
