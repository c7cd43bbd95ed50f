import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { checkAddress, type GuardRules } from './guard';

export type ResolveAll = (hostname: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export const resolveAll: ResolveAll = (hostname, callback) => systemLookup(hostname, { all: true, verbatim: true }, callback);

/** The guard's own refusal, told from every other failure to connect by its code. */
export const REFUSED = 'address_refused';

/**
 * Connects to public addresses only. Every address that DNS gives is judged, one bad one refuses them all, and
 * the socket goes to exactly the addresses that were judged (a second look-up could answer otherwise) while
 * SNI and Host keep the name. What the socket reached is judged once more. `onSocket` hands out the socket at
 * once, so that a connection in the making can be dropped.
 */
export function guardedConnector(rules: () => GuardRules, resolve: ResolveAll, timeoutMs: number, onSocket: (socket: Socket) => void): buildConnector.connector {
  function connectorFor(port: number, secure: boolean) {
    const lookup: LookupFunction = (hostname, options, callback) => {
      resolve(hostname, (error, addresses) => {
        if (error) return callback(error, []);
        const live = rules();
        const bad = addresses.map(({ address }) => checkAddress(address, port, secure, live)).find((verdict) => !verdict.ok);
        if (bad !== undefined && !bad.ok) return callback(refusal(bad.reason), []);
        if (addresses.length === 0) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
        if (options.all) return callback(null, addresses);
        callback(null, addresses[0]!.address, addresses[0]!.family);
      });
    };
    return buildConnector({ lookup, timeout: timeoutMs, autoSelectFamily: true, allowH2: false, rejectUnauthorized: true });
  }
  const connectors = new Map<string, buildConnector.connector>();

  return (options, callback) => {
    const secure = options.protocol === 'https:';
    const port = Number(options.port || (secure ? 443 : 80));
    if (isIP(options.hostname) !== 0) {
      const verdict = checkAddress(options.hostname, port, secure, rules());
      if (!verdict.ok) return void queueMicrotask(() => callback(refusal(verdict.reason), null));
    }
    const key = `${options.protocol}${port}`;
    let connect = connectors.get(key);
    if (connect === undefined) connectors.set(key, (connect = connectorFor(port, secure)));
    watch(connect, options, onSocket, (error, socket) => {
      if (error !== null) return callback(error, null);
      const verdict = checkAddress(socket.remoteAddress ?? '', port, secure, rules());
      if (verdict.ok) return callback(null, socket);
      socket.destroy();
      callback(refusal(verdict.reason), null);
    });
  };
}

/** For the product's own sandbox: no guard, the caller has made sure of the origin. */
export function plainConnector(timeoutMs: number, onSocket: (socket: Socket) => void): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false });
  return (options, callback) => watch(connect, options, onSocket, (error, socket) => (error === null ? callback(null, socket) : callback(error, null)));
}

function watch(connect: buildConnector.connector, options: buildConnector.Options, onSocket: (socket: Socket) => void, callback: (error: Error | null, socket: Socket) => void): void {
  // Its type says void, but it returns the socket before it is connected.
  const socket = connect(options, (error, connected) => callback(error, connected as Socket)) as unknown as Socket | undefined;
  if (socket !== undefined) onSocket(socket);
}

function refusal(reason: string): Error {
  return Object.assign(new Error(reason), { code: REFUSED });
}
