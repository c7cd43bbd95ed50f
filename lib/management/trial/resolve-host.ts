import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** Every address of a name; none when it does not resolve; null when the host is an address already. */
export type ResolveHost = (host: string) => Promise<string[] | null>;

const LIMIT_MS = 5_000;

export const resolveHost: ResolveHost = async (host) => {
  if (isIP(host) !== 0) return null;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LIMIT_MS);
  });
  const found = lookup(host, { all: true, verbatim: true }).then(
    (entries) => entries.map(({ address }) => address),
    () => [], // every reason means the same to the reader: the name leads nowhere
  );
  return await Promise.race([found, late]).finally(() => clearTimeout(timer));
};
