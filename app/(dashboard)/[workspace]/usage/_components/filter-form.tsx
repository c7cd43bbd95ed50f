'use client';

import { useRouter } from 'next/navigation';
import { buttonClass, SelectField, useHydrated } from '@/app/_ui';
import { addressOf, GROUPS, RANGES, readFilters, type UsageFilters } from './filters';

/** A plain GET form: what is shown stands in the address. It works without script, in UTC. */
export function FilterForm({ here, filters, keys, routes }: { here: string; filters: UsageFilters; keys: readonly { id: string; name: string }[]; routes: readonly string[] }) {
  const router = useRouter();
  const own = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : 'UTC';
  const zones = [...new Set(['UTC', own, filters.zone])];
  return (
    <form
      action={here}
      key={JSON.stringify(filters)}
      role="search"
      aria-label="Choose what is summed"
      className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault(); // the same address, without the empty members
        const chosen = Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]));
        router.push(addressOf(here, readFilters(chosen)));
      }}
    >
      <SelectField label="Time" name="range" defaultValue={filters.range}>
        {Object.entries(RANGES).map(([name, { label }]) => <option key={name} value={name}>{label}</option>)}
      </SelectField>
      <SelectField label="Days of" name="zone" defaultValue={filters.zone}>
        {zones.map((zone) => <option key={zone} value={zone}>{zone}</option>)}
      </SelectField>
      <SelectField label="Group by" name="group" defaultValue={filters.group}>
        <option value="">Nothing</option>
        {Object.keys(GROUPS).map((name) => <option key={name} value={name}>{name}</option>)}
      </SelectField>
      <SelectField label="Key" name="key" defaultValue={filters.only.key}>
        <option value="">Any</option>
        {filters.only.key === '' || keys.some((key) => key.id === filters.only.key) ? null : <option value={filters.only.key}>{filters.only.key}</option>}
        {keys.map((key) => <option key={key.id} value={key.id}>{key.name}</option>)}
      </SelectField>
      <SelectField label="Route" name="route" defaultValue={filters.only.route}>
        <option value="">Any</option>
        {[...new Set([...routes, ...(filters.only.route === '' ? [] : [filters.only.route])])].map((name) => <option key={name} value={name}>{name}</option>)}
      </SelectField>
      {(['model', 'connection', 'tag'] as const).map((name) => filters.only[name] === '' ? null : (
        <SelectField key={name} label={LABELS[name]} name={name} defaultValue={filters.only[name]}>
          <option value="">Any</option>
          <option value={filters.only[name]}>{filters.only[name]}</option>
        </SelectField>
      ))}
      <div><button type="submit" className={buttonClass('secondary')}>Show</button></div>
    </form>
  );
}

const LABELS = { model: 'Model', connection: 'Connection', tag: 'Tag' };
