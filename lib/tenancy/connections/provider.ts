import { presetById, presets, WIRES, type Preset, type Wire } from '../../providers';
import { Refusal } from '../../std';

/** The preset that a connection over http names. Throws Refusal('invalid') on `provider`. */
export function presetOf(id: string): Preset {
  const preset = presetById(id);
  if (preset !== null && preset.kind === 'http') return preset;
  const message =
    preset === null
      ? `is not known: use ${presets.filter(({ kind }) => kind === 'http').map((entry) => entry.id).join(', ')}`
      : 'is inside the product: make a connection of kind "sandbox"';
  throw new Refusal('invalid', `provider: ${message}.`, [{ field: 'provider', message }]);
}

/** Whose address this is: the preset with this origin, of this wire where one is said, else `custom`. */
export function providerAt(origin: string, wire: Wire | null): string {
  const there = presets.filter((preset) => preset.baseUrl !== null && new URL(preset.baseUrl).origin === origin);
  const found = wire === null ? there[0] : there.find((preset) => preset.wire === wire);
  return found?.id ?? 'custom';
}

/** The wire of a connection: the one that was said, else the preset's. Throws Refusal('not_available_yet') on `wire`. */
export function wireOf(provider: string, said: Wire | undefined): Wire {
  const wire = said ?? presetById(provider)?.wire ?? 'openai';
  if (WIRES.includes(wire)) return wire;
  throw new Refusal('not_available_yet', `wire: ${wire} is not available yet.`, [{ field: 'wire', message: `"${wire}" is not available yet` }]);
}
