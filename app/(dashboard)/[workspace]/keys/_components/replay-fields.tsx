'use client';

import { useState } from 'react';
import { CheckboxField, Fieldset, SelectField } from '@/app/_ui';
import type { FormState } from '@/app/_shell/form-state';
import type { KeyView } from '@/lib/management/schemas';
import { keptForWords, KEPT_FOR } from './replay-words';

/** What a key does with its answers, said where it is chosen. */
export function ReplayFields({ defaults, errors }: { defaults: KeyView['replay']; errors: FormState['errors'] }) {
  const [enabled, setEnabled] = useState(defaults.enabled);
  const presets = KEPT_FOR.includes(defaults.ttl_s) ? KEPT_FOR : [...KEPT_FOR, defaults.ttl_s].sort((a, b) => a - b);
  return (
    <Fieldset legend="Exact replay">
      <CheckboxField
        label="Keep finished answers, and serve them again to an equal request" name="replay_enabled" checked={enabled} onChange={(event) => setEnabled(event.target.checked)} error={errors['replay.enabled']}
        hint="Answers are kept encrypted for this workspace; prompts are never kept with them. A replay asks no provider, costs nothing and says X-AT-Cache: HIT. A request that wants a new answer sends X-Ohm-Cache: bypass."
      />
      <div className="flex flex-wrap gap-3" hidden={!enabled}>
        <SelectField label="Kept for" name="replay_ttl_s" defaultValue={String(defaults.ttl_s)} error={errors['replay.ttl_s']} className="min-w-40 flex-1">
          {presets.map((seconds) => <option key={seconds} value={seconds}>{keptForWords(seconds)}</option>)}
        </SelectField>
        <SelectField label="Served to" name="replay_scope" defaultValue={defaults.scope} error={errors['replay.scope']} className="min-w-40 flex-1">
          <option value="key">This key alone</option>
          <option value="workspace">Every key so set</option>
        </SelectField>
      </div>
    </Fieldset>
  );
}
