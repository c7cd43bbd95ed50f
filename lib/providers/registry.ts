import type { WireAdapter } from './adapter';
import type { Dialect } from '../wire';
import { anthropic } from './anthropic';
import { gemini } from './gemini';
import { openai } from './openai';
import { openaiResponses } from './openai-responses';

/** The only list of wires. A new one is a folder beside `openai` and a line here. */
const ADAPTERS: Partial<Record<Dialect, WireAdapter>> = { openai, anthropic, gemini, 'openai-responses': openaiResponses };

export type Wire = Dialect;
export const WIRES = Object.keys(ADAPTERS) as Wire[];

/** @throws Error on a wire that does not exist: what is stored was checked when it was saved. */
export function adapterFor(wire: string): WireAdapter {
  const adapter = Object.hasOwn(ADAPTERS, wire) ? ADAPTERS[wire as Wire] : undefined;
  if (adapter === undefined) throw new Error(`there is no wire called ${JSON.stringify(wire)}`);
  return adapter;
}
