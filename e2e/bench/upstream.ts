import { createServer } from 'node:http';

/**
 * A provider that answers at once: a whole JSON answer, a stream of 50 chunks in one go, or, for the model
 * `held`, one chunk of content and then silence. `node upstream.mjs <port>`
 */
const IDENTITY = '"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m"';
const chunk = (choices: string, rest = '') => `data: {${IDENTITY},"choices":[${choices}]${rest}}\n\n`;
const word = (text: string) => chunk(`{"index":0,"delta":{"content":"${text}"}}`);
const USAGE = '"usage":{"prompt_tokens":21,"completion_tokens":47,"total_tokens":68}';

/** 50 chunks of about 120 bytes: the role, 47 words, the finish, the usage; then the terminator. */
const STREAM = [
  chunk('{"index":0,"delta":{"role":"assistant","content":""}}'),
  ...Array.from({ length: 47 }, (_, at) => word(`word${at} `)),
  chunk('{"index":0,"delta":{},"finish_reason":"stop"}'),
  chunk('', `,${USAGE}`),
  'data: [DONE]\n\n',
];
const WHOLE = Buffer.from(
  `{"id":"chatcmpl-1","object":"chat.completion","created":1700000000,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"${'A word or two. '.repeat(12)}","refusal":null},"logprobs":null,"finish_reason":"stop"}],${USAGE}}`,
);

const server = createServer({ keepAliveTimeout: 600_000, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces).toString();
    if (!body.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': WHOLE.length });
      response.end(WHOLE);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    if (body.includes('"held"')) {
      response.write(STREAM[0] + word('held'));
      return;
    }
    for (const frame of STREAM) response.write(frame);
    response.end();
  });
});
server.timeout = 0;
server.listen({ port: Number(process.argv[2]), host: '127.0.0.1', backlog: 4096 });
