import { isObject } from '../../wire';


/** Arguments of a call that come piece by piece: `{"jsonPath":"$.steps[0].min","numberValue":40}`. */
export interface PartialArgs {
  /** Null, or what is wrong with the piece. */
  add(piece: unknown): string | null;
  /** Members that came whole. */
  merge(args: Record<string, unknown>): void;
  /** The JSON text of everything, or null when it cannot be written. */
  text(): string | null;
}

type Node = Record<string, unknown> | unknown[];

export function partialArgs(): PartialArgs {
  const root = bare();
  /** The string that the next piece of the same path goes on with. */
  let unfinished: string | null = null;
  let characters = 0;

  return {
    add(piece) {
      if (!isObject(piece) || typeof piece.jsonPath !== 'string') return 'a piece of arguments has no path';
      const { jsonPath } = piece;
      const value = valueOf(piece);
      characters += jsonPath.length + (typeof value === 'string' ? value.length : 8);
      if (characters > MAX_CHARACTERS) return 'arguments without end';
      const goesOn = unfinished === jsonPath;
      unfinished = piece.willContinue === true ? jsonPath : null;
      if (value === undefined) return null;
      const keys = keysOf(jsonPath);
      if (keys === null) return 'a piece of arguments has a path that cannot be followed';
      return put(root, keys, value, goesOn);
    },
    merge(args) {
      for (const name of Object.keys(args)) root[name] = args[name];
    },
    text: () => jsonText(root),
  };
}

/** The JSON text of a value, or null when it is nested too deep to be written. */
export function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null; // the stack has an end, and an upstream may nest beyond it
  }
}

const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_KEYS = 64;

/** Without a prototype: any name is just a name in it. */
const bare = (): Record<string, unknown> => Object.create(null) as Record<string, unknown>;

function valueOf(piece: Record<string, unknown>): unknown {
  if (typeof piece.stringValue === 'string') return piece.stringValue;
  if (typeof piece.numberValue === 'number') return piece.numberValue;
  if (typeof piece.boolValue === 'boolean') return piece.boolValue;
  return 'nullValue' in piece ? null : undefined;
}

/** `$.a['b c'][0]` as its keys; null for what is no such path. */
function keysOf(path: string): (string | number)[] | null {
  if (path[0] !== '$' || path.length > 4_096) return null;
  const keys: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const step = STEP.exec(path);
    if (step === null || keys.length === MAX_KEYS) return null;
    if (step[2] !== undefined) keys.push(Number(step[2]));
    else keys.push(step[1] ?? (step[3] ?? step[4]!).replace(/\\(.)/g, '$1'));
  }
  return keys.length === 0 ? null : keys;
}

const STEP = /\.([^.[\]]+)|\[(\d{1,7})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

function put(root: Node, keys: (string | number)[], value: unknown, goesOn: boolean): string | null {
  let node = root;
  for (const [at, key] of keys.entries()) {
    if (Array.isArray(node) ? typeof key !== 'number' || key > node.length : typeof key === 'number') return MISFIT;
    const members = node as Record<string | number, unknown>;
    if (at === keys.length - 1) {
      const before = members[key];
      members[key] = goesOn && typeof before === 'string' && typeof value === 'string' ? before + value : value;
      return null;
    }
    const next = (members[key] ??= typeof keys[at + 1] === 'number' ? [] : bare());
    if (typeof next !== 'object' || next === null) return MISFIT;
    node = next as Node;
  }
  return null;
}

const MISFIT = 'a piece of arguments does not fit the pieces before it';
