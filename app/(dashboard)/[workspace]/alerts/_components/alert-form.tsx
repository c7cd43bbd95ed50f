'use client';

import { useState } from 'react';
import { Button, CheckboxField, Fieldset, LinkButton, NumberField, SelectField, TextField, toast } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import type { FormState } from '@/app/_shell/form-state';
import { ALERT_KINDS, DEFAULT_MIN_CALLS, kindOf, type AlertKind } from '@/lib/alerts/kinds';
import { windowParts } from './window-parts';

export interface AlertDefaults {
  name: string;
  kind: AlertKind;
  threshold: number;
  windowS: number;
  minCalls: number;
  /** `all`, `key:<id>` or `route:<id>`. */
  scope: string;
  channels: string[];
}

export interface AlertChoices {
  keys: { id: string; name: string }[];
  routes: { id: string; name: string }[];
  channels: { id: string; name: string; type: 'email' | 'webhook' }[];
}

export const newAlert = (kind: AlertKind): AlertDefaults => ({ name: '', kind, threshold: kindOf(kind).threshold, windowS: kindOf(kind).windowS, minCalls: DEFAULT_MIN_CALLS, scope: 'all', channels: [] });

/** What is watched, when it fires, and who is told. */
export function AlertForm({ action, defaults, choices, submit, cancel }: { action: FormAction<string>; defaults: AlertDefaults; choices: AlertChoices; submit: string; cancel?: string }) {
  return (
    <ActionForm action={action} onResult={() => toast.success('Alert saved')}>
      {(state, pending) => (
        <>
          <TextField label="Name" name="name" required maxLength={100} autoComplete="off" defaultValue={defaults.name} error={state.errors.name} hint="Stands in every message. Unique in the workspace." />
          <KindFields defaults={defaults} choices={choices} errors={state.errors} />
          <ChannelFields channels={choices.channels} chosen={defaults.channels} error={state.errors.channels} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={pending && 'Saving…'}>{submit}</Button>
            {cancel === undefined ? null : <LinkButton href={cancel}>Cancel</LinkButton>}
          </div>
        </>
      )}
    </ActionForm>
  );
}

/** A kind decides what its figure is, so its fields begin anew with it. */
function KindFields({ defaults, choices, errors }: { defaults: AlertDefaults; choices: AlertChoices; errors: FormState['errors'] }) {
  const [kind, setKind] = useState(defaults.kind);
  const look = kindOf(kind);
  const values = kind === defaults.kind ? defaults : newAlert(kind);
  return (
    <>
      <SelectField label="Watch for" name="kind" value={kind} onChange={(event) => setKind(event.target.value as AlertKind)} error={errors.kind} hint={look.meaning}>
        {ALERT_KINDS.map((each) => <option key={each} value={each}>{kindOf(each).label}</option>)}
      </SelectField>
      <div key={kind} className="flex flex-wrap gap-3">
        {look.steps === undefined ? (
          <NumberField label={`${look.fires === 'below' ? 'Fires below' : 'Fires at'}: ${look.figure}`} name="threshold" whole={look.unit === 'calls'} required defaultValue={values.threshold} error={errors.threshold} className="min-w-48 flex-1" />
        ) : (
          <SelectField label="Tell from" name="threshold" defaultValue={String(values.threshold)} error={errors.threshold} className="min-w-48 flex-1">
            {look.steps.map((step) => <option key={step} value={step}>{step}% on</option>)}
          </SelectField>
        )}
        {look.steps === undefined ? <WindowField seconds={values.windowS} error={errors.window_s} /> : null}
        {look.unit === 'percent' && look.steps === undefined ? (
          <NumberField label="Of calls, at least" name="min_calls" whole defaultValue={values.minCalls} error={errors.min_calls} className="min-w-36 flex-1" />
        ) : null}
      </div>
      <SelectField key={`${kind} scope`} label="Of" name="scope" defaultValue={defaults.scope} error={errors.scope}>
        <option value="all">All calls of the workspace</option>
        {look.scopes.includes('key') && choices.keys.length > 0 ? <optgroup label="One key">{choices.keys.map(({ id, name }) => <option key={id} value={`key:${id}`}>{name}</option>)}</optgroup> : null}
        {look.scopes.includes('route') && choices.routes.length > 0 ? <optgroup label="One route">{choices.routes.map(({ id, name }) => <option key={id} value={`route:${id}`}>{name}</option>)}</optgroup> : null}
      </SelectField>
    </>
  );
}

function WindowField({ seconds, error }: { seconds: number; error: string | undefined }) {
  const { amount, unit } = windowParts(seconds);
  return (
    <div className="flex min-w-48 flex-1 items-start gap-2">
      <NumberField label={<span className="whitespace-nowrap">In a window of</span>} name="window" whole required defaultValue={amount} error={error} className="flex-1" />
      <SelectField label={<><span className="sr-only">Unit of the window</span><span aria-hidden>&nbsp;</span></>} name="window_unit" defaultValue={unit} className="w-24">
        <option value="s">s</option>
        <option value="min">min</option>
        <option value="h">h</option>
        <option value="d">days</option>
      </SelectField>
    </div>
  );
}

function ChannelFields({ channels, chosen, error }: { channels: AlertChoices['channels']; chosen: string[]; error: string | undefined }) {
  return (
    <Fieldset legend="Tell" hint={channels.length === 0 ? 'There is no channel yet: an admin adds one on the page of alerts. Until then the alert keeps a history.' : 'With none chosen it keeps a history and tells nobody.'}>
      {channels.map(({ id, name, type }) => (
        <CheckboxField key={id} label={<>{name} <span className="text-muted">{type === 'email' ? 'e-mail' : 'webhook'}</span></>} name="channels" value={id} defaultChecked={chosen.includes(id)} />
      ))}
      {error ? <p role="alert" className="text-xs font-medium text-danger">{error}</p> : null}
    </Fieldset>
  );
}
