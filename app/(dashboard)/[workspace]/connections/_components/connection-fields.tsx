'use client';

import { useState, type ReactNode } from 'react';
import { Notice, SelectField, TextField } from '@/app/_ui';
import type { FormState } from '@/app/_shell/form-state';
import type { Preset } from '@/lib/providers';

/** A preset as the form needs it (lib/providers). */
export type PresetChoice = Pick<Preset, 'id' | 'label' | 'wire' | 'kind' | 'baseUrl' | 'baseUrlExample' | 'key' | 'keyUrl' | 'note'>;

/** A protocol by the name that people know, and what it adds to a base URL. */
export interface WireChoice {
  id: Preset['wire'];
  label: string;
  path: string;
}

/** A new connection: the preset fills in what is known, everything stays editable but the sandbox's. */
export function NewConnectionFields({ presets, wires, errors }: { presets: PresetChoice[]; wires: WireChoice[]; errors: FormState['errors'] }) {
  const [preset, setPreset] = useState(presets[0]!);
  const [name, setName] = useState<string | null>(null); // null: follows the preset
  const [baseUrl, setBaseUrl] = useState<string | null>(null);
  const [customWire, setCustomWire] = useState<WireChoice['id']>('openai');
  const custom = preset.id === 'custom';
  const wire = wires.find(({ id }) => id === (custom ? customWire : preset.wire)) ?? wires[0]!;
  return (
    <>
      <SelectField
        label="Provider" name="provider" value={preset.id} error={errors.provider}
        onChange={(event) => { setPreset(presets.find((candidate) => candidate.id === event.target.value) ?? preset); setBaseUrl(null); }}
        hint={preset.note}
      >
        {presets.map((choice) => <option key={choice.id} value={choice.id}>{choice.label}</option>)}
      </SelectField>
      <NameField value={name ?? preset.id} onChange={setName} error={errors.name} />
      {preset.kind === 'sandbox' ? (
        <Notice>The sandbox lives inside this installation: it needs neither an address nor a key. Its model name is a small script, such as <code>text:20</code> or <code>status:503</code>.</Notice>
      ) : (
        <>
          {custom ? (
            <SelectField label="Protocol" name="wire" value={customWire} error={errors.wire} onChange={(event) => setCustomWire(event.target.value as WireChoice['id'])} hint="What the server speaks. Clients may speak another one: requests and answers are translated.">
              {wires.map(({ id, label }) => <option key={id} value={id}>{label}</option>)}
            </SelectField>
          ) : null}
          <BaseUrlField value={baseUrl ?? preset.baseUrl ?? ''} onChange={setBaseUrl} error={errors.base_url} placeholder={preset.baseUrlExample ?? 'https://api.example.com/v1'} path={wire.path} />
          <ApiKeyField
            label="API key" error={errors.api_key} optional={preset.key !== 'required'}
            hint={
              <>
                Stored encrypted, bound to this address, never shown again.
                {preset.key === 'required' ? null : ' Leave it empty if the server wants none.'}
                {preset.keyUrl ? <> <a className="link" href={preset.keyUrl} target="_blank" rel="noreferrer">Get one from {preset.label}</a></> : null}
              </>
            }
          />
        </>
      )}
    </>
  );
}

/** An edit: a changed origin asks for the key again, because a key is bound to where it was meant to go. */
export function EditConnectionFields({ name, baseUrl, wire, keyLast4, errors }: { name: string; baseUrl: string | null; wire: WireChoice; keyLast4: string | null; errors: FormState['errors'] }) {
  const [nameNow, setName] = useState(name);
  const [urlNow, setUrl] = useState(baseUrl ?? '');
  const moved = baseUrl !== null && originOf(urlNow) !== originOf(baseUrl);
  const [keyChoice, setKeyChoice] = useState<'keep' | 'replace' | 'none'>('keep');
  const choice = moved && keyChoice === 'keep' ? 'replace' : keyChoice;
  return (
    <>
      <NameField value={nameNow} onChange={setName} error={errors.name} />
      {baseUrl === null ? null : (
        <>
          <BaseUrlField value={urlNow} onChange={setUrl} error={errors.base_url} path={wire.path} />
          {moved ? <Notice tone="warning" live>The address has a new origin. The stored key was given for {originOf(baseUrl)} and is not sent elsewhere: enter the key for the new one.</Notice> : null}
          <SelectField label="API key" name="key_choice" value={choice} onChange={(event) => setKeyChoice(event.target.value as typeof keyChoice)}>
            {moved ? null : <option value="keep">{keyLast4 ? `Keep the stored one (…${keyLast4})` : 'Keep as it is'}</option>}
            <option value="replace">Replace it</option>
            <option value="none">None: this provider wants no key</option>
          </SelectField>
          {choice === 'replace' ? <ApiKeyField label="New API key" error={errors.api_key} hint="Stored encrypted, bound to this address, never shown again." /> : null}
        </>
      )}
    </>
  );
}

function NameField({ value, onChange, error }: { value: string; onChange: (value: string) => void; error: string | undefined }) {
  return (
    <TextField
      label="Name" name="name" required maxLength={64} autoComplete="off" spellCheck={false} autoCapitalize="none" mono
      value={value} onChange={(event) => onChange(event.target.value)} error={error}
      hint="How tiers refer to it. Letters, digits and . _ : -"
    />
  );
}

function BaseUrlField({ value, onChange, error, placeholder, path }: { value: string; onChange: (value: string) => void; error: string | undefined; placeholder?: string; path: string }) {
  return (
    <TextField
      label="Base URL" name="base_url" type="url" inputMode="url" required autoComplete="off" spellCheck={false} mono
      placeholder={placeholder} value={value} onChange={(event) => onChange(event.target.value)} error={error}
      hint={`The root to which ${path} is added. https and a public address: http:// and private addresses are refused unless OHM_ALLOW_PRIVATE_UPSTREAMS lists their network. Saving contacts nobody.`}
    />
  );
}

/** Write-only: it starts empty, always. Password managers are asked to leave it alone: it is not a login. */
function ApiKeyField({ label, hint, error, optional }: { label: string; hint: ReactNode; error: string | undefined; optional?: boolean }) {
  return (
    <TextField
      label={label} name="api_key" type="password" autoComplete="off" spellCheck={false} data-1p-ignore data-lpignore="true" mono
      hint={hint} error={error} {...(optional ? { optional } : {})}
    />
  );
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url.trim();
}
