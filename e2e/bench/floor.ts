import { createServer } from 'node:http';
import { type Dispatcher, Pool } from 'undici';

/**
 * The floor: the least that a streaming proxy can do. Reads the request, dispatches it, hands head and data on
 * as they come, with back-pressure and hang-up. No keys, no routes, no failover, no ledger; it looks at nothing.
 * `node floor.mjs <port> <upstream origin>`
 */
const [port, origin] = process.argv.slice(2);
const pool = new Pool(origin!, { keepAliveTimeout: 60_000, headersTimeout: 0, bodyTimeout: 0 });

createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (piece: Buffer) => body.push(piece));
  request.on('end', () => {
    let upstream: Dispatcher.DispatchController | null = null;
    response.on('drain', () => upstream?.resume());
    response.on('close', () => {
      if (!response.writableFinished) upstream?.abort(new Error('the client left'));
    });
    const headers = { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' };
    pool.dispatch(
      { path: request.url!, method: 'POST', headers, body: Buffer.concat(body) },
      {
        onRequestStart: (controller) => void (upstream = controller),
        onResponseStart(_, status, { connection, 'keep-alive': keepAlive, 'transfer-encoding': encoding, ...head }) {
          response.writeHead(status, head);
        },
        onResponseData(controller, chunk) {
          if (!response.write(chunk)) controller.pause();
        },
        onResponseEnd: () => void response.end(),
        onResponseError: () => void response.destroy(),
      },
    );
  });
}).listen({ port: Number(port), host: '127.0.0.1', backlog: 4096 });
