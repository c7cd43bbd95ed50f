import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { matchesRule, type AllowRule } from '../std/allow-rules';

/** What the address guard goes by. */
export interface GuardRules {
  /** What the operator opened: OHM_ALLOW_PRIVATE_UPSTREAMS. */
  allow: readonly AllowRule[];
  /** Ports that the product itself listens on or depends on. They stay closed on every address of this machine's side. */
  ownPorts: Iterable<number>;
}

export type GuardVerdict = { ok: true } | { ok: false; reason: string };

/**
 * May a connection be made to this address? Asked with what DNS answered and once more with the address that
 * the socket really reached.
 *
 * Public means: global unicast by the IANA registries, and not on the short list that they miss. Everything
 * else (loopback, private, link-local and its metadata services, shared, mapped, NAT64, 6to4, documentation,
 * multicast, reserved) needs an operator's rule. The reason never names the address: it may be a secret of
 * the network that the product runs in.
 */
export function checkAddress(address: string, port: number, secure: boolean, rules: GuardRules): GuardVerdict {
  if (!ipaddr.isValid(address)) return refuse('the address is not an IP address');
  const ip = ipaddr.process(address);
  const open = isPublic(ip);
  if ((!open || isOwnAddress(ip)) && has(rules.ownPorts, port)) return refuse('the port is one of this product\'s own');
  if (!open) {
    return rules.allow.some((rule) => matchesRule(rule, ip, port)) ? { ok: true } : refuse('the address is not public');
  }
  if (!secure) {
    return rules.allow.some((rule) => matchesRule(rule, ip, port)) ? { ok: true } : refuse('http is not allowed, only https');
  }
  return checkPublicPort(port);
}

/**
 * The check at save time, without contacting anything: what can be told from the text of a base URL.
 * Host names pass here and are judged when they are connected to. The result's `baseUrl` is normalised and
 * has no trailing slash.
 */
export function checkUrl(text: string, rules: GuardRules): { ok: true; baseUrl: string; origin: string } | { ok: false; reason: string } {
  if (text.length > 2048) return refuse('the URL is longer than 2048 characters');
  if (/[\s\\]|[^\x21-\x7e]/.test(text)) return refuse('the URL has a character that must be encoded');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse('this is not a URL');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('the URL must start with https://');
  if (url.username !== '' || url.password !== '' || text.includes('@')) return refuse('the URL must not carry a user name or password');
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) return refuse('the URL must not have a query or a fragment');
  if (/(^|\/)(\.|%2e){1,2}(\/|$)|%2f|%5c/i.test(text.slice(text.indexOf('://') + 3))) return refuse('the path must not have dot segments');
  const verdict = checkHost(url, rules);
  if (!verdict.ok) return verdict;
  return { ok: true, origin: url.origin, baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}

function checkHost(url: URL, rules: GuardRules): GuardVerdict {
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  if (host === '') return refuse('the URL has no host');
  if (ipaddr.isValid(host)) return checkAddress(host, port, secure, rules);
  if (host === 'localhost' || host.endsWith('.localhost')) {
    const verdicts = ['127.0.0.1', '::1'].map((address) => checkAddress(address, port, secure, rules));
    return verdicts.find((verdict) => verdict.ok) ?? verdicts[0]!;
  }
  if (!secure && rules.allow.length === 0) return refuse('http is not allowed, only https');
  // A name may turn out to be private and allowed on any port: with rules in force, the connection decides.
  return rules.allow.length === 0 ? checkPublicPort(port) : { ok: true };
}

function isPublic(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (ip.range() !== 'unicast') return false;
  return ip.kind() === 'ipv4'
    ? !DENIED_V4.some((range) => (ip as ipaddr.IPv4).match(range))
    : (ip as ipaddr.IPv6).match(GLOBAL_V6) && !DENIED_V6.some((range) => (ip as ipaddr.IPv6).match(range));
}

/** Looks like any public address and is the host's own door: Azure's platform address for metadata and agents. */
const DENIED_V4 = [ipaddr.IPv4.parseCIDR('168.63.129.16/32')];
/** Everything outside is unassigned, local or a disguise of an IPv4 address (`::127.0.0.1`, 64:ff9b:1::/48). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Documentation, newer than most tables. */
const DENIED_V6 = [ipaddr.IPv6.parseCIDR('3fff::/20')];

/** Providers serve on 443 or on an unprivileged port; 22, 25 and their like are other people's services. */
function checkPublicPort(port: number): GuardVerdict {
  return port === 443 || port >= 1024 ? { ok: true } : refuse('the port is not allowed');
}

function isOwnAddress(ip: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const text = ip.toNormalizedString();
  return Object.values(networkInterfaces()).some((list) =>
    list?.some(({ address }) => ipaddr.isValid(address) && ipaddr.process(address).toNormalizedString() === text),
  );
}

function has(ports: Iterable<number>, port: number): boolean {
  for (const own of ports) if (own === port) return true;
  return false;
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
