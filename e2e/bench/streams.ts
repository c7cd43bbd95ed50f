import { setTimeout as delay } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { connectTo, requestBytes, responseEnd, type Target } from './http-client';

const CONTENT = '"content":"word0 ';
const HELD = '"content":"held';

/**
 * Time to the first content of a stream, ms, for every target in turn, one request in the whole system at a
 * time: targets are met by the same moments of a noisy machine.
 */
export async function firstContent(targets: readonly Target[], samples: number): Promise<Map<string, number[]>> {
  const lines = await Promise.all(targets.map(async (target) => ({ target, socket: await connectTo(target), bytes: requestBytes(target, { model: 'instant', stream: true }) })));
  const times = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  const warmUp = Math.min(50, samples);
  for (let at = -warmUp; at < samples; at++) {
    for (const { target, socket, bytes } of lines) {
      const ms = await one(socket, bytes);
      if (at >= 0) times.get(target.name)!.push(ms);
      await delay(2);
    }
  }
  for (const { socket } of lines) socket.destroy();
  return times;
}

/** Resolves when the whole answer is in. */
function one(socket: Socket, bytes: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const end = responseEnd();
    let firstMs: number | null = null;
    let text = '';
    const fail = () => reject(new Error('the connection ended in the middle of a measurement'));
    const onData = (piece: Buffer) => {
      if (firstMs === null && (text += piece.toString('latin1')).includes(CONTENT)) firstMs = performance.now() - sentAt;
      if (!end.take(piece)) return;
      socket.off('data', onData).off('close', fail);
      if (firstMs === null) reject(new Error(`an answer without content: ${text.slice(0, 500)}`));
      else resolve(firstMs);
    };
    socket.on('data', onData).once('close', fail);
    const sentAt = performance.now();
    socket.write(bytes);
  });
}

/** Opens this many streams that have said one word each and stay open; the result ends them. */
export async function holdStreams(target: Target, count: number): Promise<() => Promise<void>> {
  const bytes = requestBytes(target, { model: 'held', stream: true });
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(50, count - sockets.length) }, () => held(target, bytes));
    sockets.push(...(await Promise.all(batch)));
  }
  return async () => {
    for (const socket of sockets) socket.destroy();
    await delay(500);
  };
}

async function held(target: Target, bytes: Buffer): Promise<Socket> {
  const socket = await connectTo(target);
  socket.on('error', () => socket.destroy());
  return await new Promise((resolve, reject) => {
    let text = '';
    const onData = (piece: Buffer) => {
      text += piece.toString('latin1');
      if (!text.includes(HELD)) return;
      socket.off('data', onData).off('close', fail);
      socket.resume();
      resolve(socket);
    };
    const fail = () => reject(new Error(`a held stream ended: ${text.slice(0, 500)}`));
    socket.on('data', onData).once('close', fail);
    socket.write(bytes);
  });
}
