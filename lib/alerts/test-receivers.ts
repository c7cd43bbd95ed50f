import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A webhook receiver and a mail server on loopback ports that do what they are told, for tests. */

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  port: number;
  received: Received[];
  /** What it answers from now on; `hang` never answers, `reset` cuts the connection. */
  answer: { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'reset';
  close(): Promise<void>;
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const server = createHttpServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    receiver.received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
    const { answer } = receiver;
    if (answer === 'hang') return;
    if (answer === 'reset') return void request.socket.resetAndDestroy();
    response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    answer: { status: 204 },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

export interface MailServer {
  url: string;
  mails: { from: string; to: string[]; data: string }[];
  /** Replies in place of the usual ones, by command: `RCPT`, `DATA`, `.` for the end of the message. */
  replies: Partial<Record<string, string>>;
  close(): Promise<void>;
}

/** RFC 5321, as far as one client needs it. */
export async function mailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // a client that leaves is no fault of ours
    converse(socket, mail);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const mail: MailServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: [],
    replies: {},
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return mail;
}

function converse(socket: Socket, { mails, replies }: MailServer): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let pending = '';
  let inData = false;
  let mail = { from: '', to: [] as string[], data: '' };
  say('220 mail.test ESMTP');
  socket.setEncoding('utf8').on('data', (text: string) => {
    pending += text;
    for (;;) {
      const end = pending.indexOf(inData ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const line = pending.slice(0, end);
      pending = pending.slice(end + (inData ? 5 : 2));
      if (inData) {
        inData = false;
        const reply = replies['.'] ?? '250 2.0.0 taken as 4711';
        if (reply.startsWith('2')) mails.push({ ...mail, data: line.replace(/^\.\./gm, '.') });
        mail = { from: '', to: [], data: '' };
        say(reply);
        continue;
      }
      const command = line.slice(0, 4).toUpperCase();
      const scripted = replies[command];
      if (scripted !== undefined) say(scripted);
      else if (command === 'EHLO') say('250-mail.test\r\n250 8BITMIME');
      else if (command === 'DATA') say('354 go on');
      else if (command === 'QUIT') socket.end('221 bye\r\n');
      else say('250 ok');
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (command === 'MAIL') mail.from = address;
      if (command === 'RCPT' && scripted === undefined) mail.to.push(address);
      if (command === 'DATA') inData = scripted === undefined;
    }
  });
}
