import { isObject, type Losses, MAX_DEPTH, shapeFault } from '../../wire';

/** The ids that tie results to calls. The wire takes fewer characters in them than some vendors write. */
export interface ToolIds {
  /** For the call with this id; null where it is none. */
  ofCall(id: unknown): string | null;
  ofResult(id: unknown): string | null;
  /** For a call of the deprecated kind, which has no id. */
  newFunction(name: string): string;
  /** The last call of this function; null where there was none. */
  ofFunction(name: unknown): string | null;
}

export function createToolIds(): ToolIds {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  const functions = new Map<string, string>();

  function of(id: unknown): string | null {
    if (typeof id !== 'string' || id === '') return null;
    const before = known.get(id);
    if (before !== undefined) return before;
    const clean = unique(id.replace(/[^\w-]/g, '_'));
    known.set(id, clean);
    return clean;
  }

  function unique(id: string): string {
    let free = id;
    for (let at = taken.size; taken.has(free); at++) free = `${id}_${at}`;
    taken.add(free);
    return free;
  }

  return {
    ofCall: of,
    ofResult: of,
    newFunction(name) {
      const id = unique(`function_call_${taken.size}`);
      functions.set(name, id);
      return id;
    },
    ofFunction: (name) => (typeof name === 'string' ? (functions.get(name) ?? null) : null),
  };
}

/** A tool_use block as JSON text. The arguments keep their own spelling: numbers beyond 2^53 would not survive a parse. */
export function toolUseBlock(id: string, call: { name: string; arguments: unknown }, path: string, losses: Losses): string {
  return `{"type":"tool_use","id":${JSON.stringify(id)},"name":${JSON.stringify(call.name)},"input":${inputOf(call.arguments, path, losses)}}`;
}

function inputOf(text: unknown, path: string, losses: Losses): string {
  if (text === undefined || text === null || (typeof text === 'string' && text.trim() === '')) return '{}';
  if (typeof text === 'string' && shapeFault(text, MAX_DEPTH, MAX_VALUES) === null && isObject(parsed(text))) return text;
  losses.refuseValue(path, `The arguments of \`${path}\` are no JSON object.`);
  return '{}';
}

const MAX_VALUES = 250_000;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null; // the caller says so
  }
}
