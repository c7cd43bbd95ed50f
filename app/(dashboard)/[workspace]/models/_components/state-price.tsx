'use client';

import { useState } from 'react';
import { Button, SelectField, TextField, toast } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';

/** States what a model costs at a connection. The fields start afresh after each price. */
export function StatePrice({ action, connections }: { action: FormAction<string>; connections: { name: string; provider: string }[] }) {
  const [done, setDone] = useState('');
  return (
    <ActionForm action={action} onResult={(result) => { setDone(result); toast.success('Price stated'); }}>
      {({ errors }, pending) => (
        <div key={done} className="flex flex-col gap-4">
          <div className="grid items-start gap-4 sm:grid-cols-3">
            <SelectField label="Connection" name="connection" error={errors.connection}>
              {connections.map(({ name, provider }) => <option key={name} value={name}>{name === provider ? name : `${name} (${provider})`}</option>)}
            </SelectField>
            <TextField label="Model" name="model" required mono autoComplete="off" spellCheck={false} placeholder="gpt-4o-mini" error={errors.model} />
            <TextField label="From (UTC)" name="effective_from" type="date" optional error={errors.effective_from} />
          </div>
          <div className="grid items-start gap-4 sm:grid-cols-4">
            <Dollars label="Input" name="input" error={errors.input_nano_usd_per_million_tokens} required />
            <Dollars label="Output" name="output" error={errors.output_nano_usd_per_million_tokens} required />
            <Dollars label="Cached input" name="cached_input" error={errors.cached_input_nano_usd_per_million_tokens} />
            <Dollars label="Cache write" name="cache_write" error={errors.cache_write_nano_usd_per_million_tokens} />
          </div>
          <p className="text-xs text-muted">US dollars a million tokens, with at most six decimals. Without a day it holds from now; calls before it keep their cost. A cached rate that is left out is the input rate.</p>
          <div><Button type="submit" busy={pending && 'Stating…'}>State price</Button></div>
        </div>
      )}
    </ActionForm>
  );
}

function Dollars({ label, name, error, required }: { label: string; name: string; error: string | undefined; required?: boolean }) {
  return <TextField label={label} name={name} inputMode="decimal" mono autoComplete="off" placeholder="0.15" error={error} {...(required ? { required } : { optional: true })} />;
}
