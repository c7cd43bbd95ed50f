import ipaddr from 'ipaddr.js';

/** One opening in the address guard: a network and the ports in it. */
export interface AllowRule {
  family: 4 | 6;
  address: string;
  prefix: number;
  fromPort: number;
  toPort: number;
}

/**
 * Reads OHM_ALLOW_PRIVATE_UPSTREAMS: comma-separated `cidr[:port|:from-to]`, for example
 * `127.0.0.0/8,10.1.0.0/16:8000-9000,[fd00::]/8:11434`. A bare address means that one address; an IPv6
 * network with a port stands in brackets. Without a port, every port is open. Empty text: no rules.
 *
 * @throws Error naming the piece that cannot be read.
 */
export function parseAllowRules(text: string): AllowRule[] {
  return text
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map(parseRule);
}

export function matchesRule(rule: AllowRule, ip: ipaddr.IPv4 | ipaddr.IPv6, port: number): boolean {
  if (port < rule.fromPort || port > rule.toPort) return false;
  const network = ipaddr.parse(rule.address);
  return ip.kind() === network.kind() && ip.match(network, rule.prefix);
}

function parseRule(text: string): AllowRule {
  const parts = V4.exec(text) ?? BRACKETED_V6.exec(text) ?? V6.exec(text);
  const address = parts?.[1] ?? '';
  const family = ipaddr.IPv4.isValidFourPartDecimal(address) ? 4 : ipaddr.IPv6.isValid(address) && !address.includes('%') ? 6 : null;
  if (family === null) throw bad(text, 'write cidr, cidr:port or cidr:from-to');
  const longest = family === 4 ? 32 : 128;
  const prefix = Number(parts?.[2] ?? longest);
  if (prefix > longest) throw bad(text, `the prefix is longer than ${longest}`);
  const fromPort = Number(parts?.[3] ?? 1);
  const toPort = Number(parts?.[4] ?? parts?.[3] ?? 65_535);
  if (fromPort < 1 || toPort > 65_535 || fromPort > toPort) throw bad(text, 'the ports must be 1 to 65535, the smaller one first');
  return { family, address, prefix, fromPort, toPort };
}

const V4 = /^([\d.]+)(?:\/(\d{1,3}))?(?::(\d{1,5})(?:-(\d{1,5}))?)?$/;
const BRACKETED_V6 = /^\[([^\]/]+)\](?:\/(\d{1,3}))?(?::(\d{1,5})(?:-(\d{1,5}))?)?$/;
const V6 = /^([0-9a-fA-F:.]+)(?:\/(\d{1,3}))?$/;

function bad(text: string, why: string): Error {
  return new Error(`has a bad rule "${text.slice(0, 60)}": ${why}`);
}
