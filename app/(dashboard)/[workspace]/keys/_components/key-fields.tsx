'use client';

import { useState } from 'react';
import { CheckboxField, Fieldset, SelectField, TextField, Time } from '@/app/_ui';
import type { FormState } from '@/app/_shell/form-state';
import type { KeyView } from '@/lib/management/schemas';
import { LimitFields } from '../../_limits/limit-fields';
import { EXPIRY_PRESETS } from './expiry';
import { ReplayFields } from './replay-fields';
import { SaversFields, type SaversDefaults } from './savers-fields';

export interface KeyDefaults {
  name: string;
  defaultRoute: string | null;
  strictRoute: boolean;
  directModels: boolean;
  /** The key carries a private route, which comes before the default route. */
  ownTiers?: boolean;
  replay: KeyView['replay'];
  saving: SaversDefaults;
  limits: KeyView['limits'];
  /** Undefined for a new key: then the presets alone are offered. */
  expiresAt?: string | null;
}

/** What a key may do: the same fields where it is issued and where it is edited. */
export function KeyFields({ routes, defaults, errors }: { routes: string[]; defaults: KeyDefaults; errors: FormState['errors'] }) {
  return (
    <>
      <TextField label="Name" name="name" required maxLength={100} autoComplete="off" defaultValue={defaults.name} error={errors.name} hint="Says who or what uses it. Unique in the workspace." />
      <SelectField label="Default route" name="default_route" defaultValue={defaults.defaultRoute ?? ''} error={errors.default_route} hint={defaults.ownTiers ? 'This key has tiers of its own: auto walks those, and not this route.' : 'The route that the model name auto means.'}>
        <option value="">{defaults.ownTiers ? 'None' : 'None: auto is refused'}</option>
        {routes.map((route) => <option key={route} value={route}>{route}</option>)}
      </SelectField>
      <Fieldset legend="Models that it may name">
        <CheckboxField label={`Every model name walks ${defaults.ownTiers ? 'the key’s own tiers' : 'the default route'}`} name="strict_route" defaultChecked={defaults.strictRoute} error={errors.strict_route} hint="For clients whose model name you cannot change. What was asked for stands in the ledger." />
        <CheckboxField label="Direct models" name="direct_models" defaultChecked={defaults.directModels} error={errors.direct_models} hint="<connection>/<model> and the catalog’s models may be named: one tier, no failover. eco then chooses among all of them." />
      </Fieldset>
      <LimitFields of="key" defaults={defaults.limits} errors={errors} />
      <ReplayFields defaults={defaults.replay} errors={errors} />
      <SaversFields defaults={defaults.saving} errors={errors} />
      <ExpiryField current={defaults.expiresAt} error={errors.expires_at} />
    </>
  );
}

function ExpiryField({ current, error }: { current: string | null | undefined; error: string | undefined }) {
  const [choice, setChoice] = useState(current === undefined ? 'never' : 'keep');
  return (
    <div className="flex flex-wrap gap-3">
      <SelectField label="Expires" name="expiry" value={choice} onChange={(event) => setChoice(event.target.value)} error={choice === 'on' ? null : error} className="min-w-48 flex-1">
        {current !== undefined ? <option value="keep">{current === null ? 'Never (as now)' : 'As now'}</option> : null}
        {EXPIRY_PRESETS.map((preset) => <option key={preset.value} value={preset.value}>{preset.label}</option>)}
        <option value="on">On a day…</option>
      </SelectField>
      {choice === 'on' ? <TextField label="Last day (until 23:59 UTC)" name="expires_on" type="date" required error={error} className="min-w-48 flex-1" /> : null}
      {choice === 'keep' && current ? <p className="w-full text-xs text-muted">Now: <Time at={current} /></p> : null}
    </div>
  );
}
