import { presets, WIRE_WORDS, WIRES, type Wire } from '@/lib/providers';
import type { PresetChoice, WireChoice } from './_components/connection-fields';

/** What a new connection can be made from: the members that the form needs, ready to be sent to the browser. */
export function presetChoices(): PresetChoice[] {
  return presets.map(({ id, label, wire, kind, baseUrl, baseUrlExample, key, keyUrl, note }) => ({ id, label, wire, kind, baseUrl, baseUrlExample, key, keyUrl, note }));
}

export const wireChoice = (id: Wire): WireChoice => ({ id, ...WIRE_WORDS[id] });

export const wireChoices = (): WireChoice[] => WIRES.map(wireChoice);
