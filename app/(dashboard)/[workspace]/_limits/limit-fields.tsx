'use client';

import { Fieldset, NumberField, SelectField } from '@/app/_ui';
import type { FormState } from '@/app/_shell/form-state';
import type { LimitsInput } from '@/lib/management/schemas';
import { LIMIT_FIELDS } from './limit-form';

/** Rates and budgets: the same fields for a key and for the workspace. Empty means not limited. */
export function LimitFields({ of, defaults, errors }: { of: 'key' | 'workspace'; defaults: LimitsInput; errors: FormState['errors'] }) {
  const whose = of === 'key' ? 'this key' : 'all keys together';
  return (
    <Fieldset legend="Limits" hint={<>For {whose}. An empty field is no limit.{of === 'key' ? ' A call must fit into those of the workspace as well.' : ''}</>}>
      <div className="grid gap-3 sm:grid-cols-2">
        {LIMIT_FIELDS.map(({ name, label, whole }) => (
          <NumberField key={name} label={label} name={`limits.${name}`} whole={whole} optional defaultValue={defaults[name] ?? ''} error={errors[`limits.${name}`]} />
        ))}
        <SelectField label="When a budget is used up" name="limits.on_budget" defaultValue={defaults.on_budget ?? 'hard'} error={errors['limits.on_budget']}>
          <option value="hard">Refuse calls (402)</option>
          <option value="warn">Let calls through, and tell by alerts</option>
        </SelectField>
      </div>
      <p className="text-xs text-muted">Budgets are of UTC days and months. A call sets aside what it may cost before it is made; a model whose price is not known is refused where a budget must hold.</p>
    </Fieldset>
  );
}
