import { type Member, stringEnd, type TopLevel } from './json-text';

/** A string in a JSON text that is to become another one. */
export interface StringChange {
  /** Members and positions on the way to it, from the top. */
  path: readonly (string | number)[];
  text: string;
  /** The text as a JSON string, where it is written already. */
  quoted?: string | undefined;
}

/**
 * A JSON object with some of its strings replaced and every other byte as it was written: numbers beyond 2^53, key
 * order and spacing survive. `scan` are its top-level members, and come back where they stand now. Null where one of
 * the strings is not found, or where a member on the way to it stands there twice: two readers may disagree on which
 * one counts.
 */
export function spliceStrings(json: string, scan: TopLevel, changes: readonly StringChange[]): { json: string; scan: TopLevel } | null {
  const spans: Span[] = [];
  for (const [member, own] of byStep(changes, 0)) {
    const places = scan.members.filter(({ name }) => name === member);
    if (places.length !== 1) return null;
    const found: Span[] = [];
    if (new Finder(json, found).value(places[0]!.valueStart, own, 1) === -1 || found.length !== own.length) return null;
    spans.push(...found);
  }
  let out = '';
  let copied = 0;
  const moved: { from: number; by: number }[] = [];
  for (const { start, end, quoted } of spans.sort((a, b) => a.start - b.start)) {
    out += json.slice(copied, start) + quoted;
    copied = end;
    moved.push({ from: end, by: out.length - end });
  }
  return { json: out + json.slice(copied), scan: { members: scan.members.map((member) => shifted(member, moved)), depth: scan.depth, values: scan.values } };
}

/** What stands at or behind the end of a change has moved with it. */
function shifted({ name, keyStart, valueStart, valueEnd }: Member, moved: readonly { from: number; by: number }[]): Member {
  const at = (place: number): number => place + (moved.findLast(({ from }) => from <= place)?.by ?? 0);
  return { name, keyStart: at(keyStart), valueStart: at(valueStart), valueEnd: at(valueEnd) };
}

interface Span {
  start: number;
  end: number;
  quoted: string;
}

/** Walks only where a change is; everything else is stepped over. As deep as the paths are long. */
class Finder {
  constructor(
    private readonly json: string,
    private readonly found: Span[],
  ) {}

  /** Notes what the value at `start` has to change; gives where it ends, -1 where that cannot be. */
  value(start: number, changes: readonly StringChange[], depth: number): number {
    const code = this.json.charCodeAt(start);
    const [first] = changes as [StringChange];
    if (first.path.length === depth) {
      if (code !== QUOTE || changes.length > 1) return -1;
      const end = stringEnd(this.json, start);
      this.found.push({ start, end, quoted: first.quoted ?? JSON.stringify(first.text) });
      return end;
    }
    if (code === OPEN_BRACKET) return this.list(start, changes, depth);
    return code === OPEN_BRACE ? this.object(start, changes, depth) : -1;
  }

  private list(start: number, changes: readonly StringChange[], depth: number): number {
    const own = byStep(changes, depth);
    let left = own.size;
    let at = this.space(start + 1);
    for (let position = 0; this.json.charCodeAt(at) !== CLOSE_BRACKET; position++) {
      const wanted = left === 0 ? undefined : own.get(position);
      if (wanted !== undefined) left--;
      at = wanted === undefined ? valueEnd(this.json, at) : this.value(at, wanted, depth + 1);
      if (at === -1) return -1;
      at = this.space(at);
      if (this.json.charCodeAt(at) === COMMA) at = this.space(at + 1);
    }
    return left === 0 ? at + 1 : -1;
  }

  private object(start: number, changes: readonly StringChange[], depth: number): number {
    const own = byStep(changes, depth);
    const seen = new Set<string | number>();
    let at = this.space(start + 1);
    while (this.json.charCodeAt(at) === QUOTE) {
      const keyEnd = stringEnd(this.json, at);
      const name = JSON.parse(this.json.slice(at, keyEnd)) as string;
      at = this.space(this.space(keyEnd) + 1); // over the colon
      const wanted = own.get(name);
      if (wanted !== undefined && seen.has(name)) return -1;
      seen.add(name);
      at = wanted === undefined ? valueEnd(this.json, at) : this.value(at, wanted, depth + 1);
      if (at === -1) return -1;
      at = this.space(at);
      if (this.json.charCodeAt(at) === COMMA) at = this.space(at + 1);
    }
    for (const name of own.keys()) if (!seen.has(name)) return -1;
    return at + 1;
  }

  private space(from: number): number {
    let at = from;
    while (this.json.charCodeAt(at) <= SPACE) at++;
    return at;
  }
}

function byStep(changes: readonly StringChange[], depth: number): Map<string | number, StringChange[]> {
  const steps = new Map<string | number, StringChange[]>();
  for (const change of changes) {
    const step = change.path[depth]!;
    const own = steps.get(step);
    if (own === undefined) steps.set(step, [change]);
    else own.push(change);
  }
  return steps;
}

/** One past a value of any kind. */
function valueEnd(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(json, at) - 1;
      if (depth === 0) return at + 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (depth === 0) return at; // a bare value at its holder's end
      if (--depth === 0) return at + 1;
    } else if (code === COMMA && depth === 0) return at;
  }
  return json.length;
}

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
