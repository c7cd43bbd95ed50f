import { presets } from '@/lib/providers';
import type { PresetChoice } from './_components/connection-fields';

/** What a new connection can be made from. */
export function presetChoices(): PresetChoice[] {
  return [
    ...presets.map((preset) => ({ id: preset.id, label: preset.label, baseUrl: preset.baseUrl ?? '' })),
  ];
}
