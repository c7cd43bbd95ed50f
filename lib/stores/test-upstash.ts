import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';

export interface TestUpstash {
  url: string;
  token: string;
  stop(): Promise<void>;
}

const TOKEN = 'rest-token';

/** Upstash's REST interface over a Redis, as far as its official client uses it: one command, a pipeline, a transaction. */
export async function startUpstash(redisUrl: string): Promise<TestUpstash> {
  const redis = new Redis(redisUrl, { protocol: 2, maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined); // the command that it costs is answered with it
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const encode = request.headers['upstash-encoding'] === 'base64' ? inBase64 : plain;
      const authorized = request.headers.authorization === `Bearer ${TOKEN}`;
      void (authorized ? answer(redis, request.url ?? '/', Buffer.concat(pieces).toString(), encode) : Promise.resolve(UNAUTHORIZED)).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: TOKEN,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      redis.disconnect();
    },
  };
}

interface RestAnswer {
  status: number;
  body: unknown;
}
type Encode = (reply: unknown) => unknown;

const UNAUTHORIZED: RestAnswer = { status: 401, body: { error: 'WRONGPASS invalid or missing auth token' } };

async function answer(redis: Redis, path: string, text: string, encode: Encode): Promise<RestAnswer> {
  try {
    const body = JSON.parse(text) as unknown[];
    if (path === '/pipeline') return { status: 200, body: await Promise.all((body as unknown[][]).map((command) => one(redis, command, encode))) };
    const result = await one(redis, body, encode);
    return { status: 'error' in result ? 400 : 200, body: result };
  } catch (error) {
    return { status: 400, body: { error: `ERR ${(error as Error).message}` } };
  }
}

/** In upper case through `callBuffer`: by its lower-case name ioredis would reshape the reply. */
async function one(redis: Redis, command: readonly unknown[], encode: Encode): Promise<{ result: unknown } | { error: string }> {
  const [name, ...args] = command.map((each) => (typeof each === 'object' ? JSON.stringify(each) : String(each)));
  try {
    return { result: encode(await redis.callBuffer(name!.toUpperCase(), ...args)) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** Texts in base64, but for a plain OK. */
const inBase64: Encode = (reply) => {
  if (Array.isArray(reply)) return reply.map(inBase64);
  if (typeof reply !== 'string' && !Buffer.isBuffer(reply)) return reply;
  const bytes = Buffer.from(reply as string);
  return bytes.toString() === 'OK' ? 'OK' : bytes.toString('base64');
};

const plain: Encode = (reply) => (Array.isArray(reply) ? reply.map(plain) : Buffer.isBuffer(reply) ? reply.toString() : reply);
