import { presetById, presets, type Preset } from '../../providers';
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

/** Whose address this is: the preset with this origin, else `custom`. */
export function providerAt(origin: string): string {
  return presets.find((preset) => preset.baseUrl !== null && new URL(preset.baseUrl).origin === origin)?.id ?? 'custom';
}
