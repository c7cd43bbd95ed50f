import type { WireAdapter } from './adapter';
import { openai } from './openai';

/** The only list of wires. A new one is a folder beside `openai` and a line here. */
const ADAPTERS = { openai } as const satisfies Record<string, WireAdapter>;

export type Wire = keyof typeof ADAPTERS;
export const WIRES = Object.keys(ADAPTERS) as Wire[];

/** @throws Error on a wire that does not exist: what is stored was checked when it was saved. */
export function adapterFor(wire: string): WireAdapter {
  if (!Object.hasOwn(ADAPTERS, wire)) throw new Error(`there is no wire called ${JSON.stringify(wire)}`);
  return ADAPTERS[wire as Wire];
}
