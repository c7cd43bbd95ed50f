import { presets } from '@/lib/providers';
import type { PresetChoice } from './_components/connection-fields';

/** What a new connection can be made from: the members that the form needs, ready to be sent to the browser. */
export function presetChoices(): PresetChoice[] {
  return presets.map(({ id, label, kind, baseUrl, baseUrlExample, key, keyUrl, note }) => ({ id, label, kind, baseUrl, baseUrlExample, key, keyUrl, note }));
}
