import { Pool } from 'undici';

/** A control plane that requests can be sent to. */
export interface Plane {
  name: 'primary' | 'fallback';
  origin: string;
  pool: Pick<Pool, 'dispatch' | 'request'>;
  /** No connection came about in time: asked last for a moment, so that not every request waits as long. */
  silent(): void;
  isSilent(): boolean;
  close(): Promise<void>;
}

export interface Planes {
  all: readonly Plane[];
  /** Where a request goes first, and where after that. */
  order(): readonly Plane[];
  close(): Promise<void>;
}

const CONNECT_MS = 3_000;
const SILENT_MS = 2_000;

/** `fallback` null: there is none. */
export function openPlanes(primary: string, fallback: string | null): Planes {
  const first = openPlane('primary', primary);
  const second = fallback === null ? null : openPlane('fallback', fallback);
  const all = second === null ? [first] : [first, second];
  const turned = second === null ? all : [second, first];
  return {
    all,
    order: () => (first.isSilent() ? turned : all),
    close: async () => void (await Promise.all(all.map((plane) => plane.close()))),
  };
}

function openPlane(name: Plane['name'], origin: string): Plane {
  // No time-outs of its own: the control plane has its clocks, and says so when one runs out.
  const pool = new Pool(origin, { connections: null, pipelining: 1, keepAliveTimeout: 60_000, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_MS } });
  let silentUntil = -Infinity;
  return {
    name,
    origin,
    pool,
    silent: () => void (silentUntil = performance.now() + SILENT_MS),
    isSilent: () => performance.now() < silentUntil,
    close: () => pool.destroy(),
  };
}

/** Did the connection never come about for want of an answer? A refusal comes at once and costs nobody a wait. */
export const isConnectTimeout = (error: Error): boolean => /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(String((error as NodeJS.ErrnoException).code));
