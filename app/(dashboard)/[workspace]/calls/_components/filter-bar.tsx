'use client';

import { useRouter } from 'next/navigation';
import { buttonClass, LinkButton, SelectField, STATES, useHydrated } from '@/app/_ui';
import { failureWords } from '@/app/_ui/timeline';
import { addressOf, RANGES, readFilters, type CallFilters } from './filters';

const CALL_STATES = ['finished', 'truncated', 'rejected', 'aborted', 'lost'] as const;

/** A plain GET form: the filters are the address, which can be shared and kept. It works without script. */
export function FilterBar({ here, filters, keys, routes, anySet }: {
  here: string;
  filters: CallFilters;
  keys: readonly { id: string; name: string }[];
  routes: readonly string[];
  anySet: boolean;
}) {
  const router = useRouter();
  const zone = useHydrated() ? Intl.DateTimeFormat().resolvedOptions().timeZone : filters.zone;
  return (
    // Remounted when the address changes, so that "back" shows the filters that are in force.
    <form
      action={here}
      key={JSON.stringify(filters)}
      role="search"
      aria-label="Filter calls"
      className="mb-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault(); // the same address, without the empty members
        const chosen = Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]));
        router.push(addressOf(here, readFilters(chosen)));
      }}
    >
      <SelectField label="Time" name="range" defaultValue={filters.range}>
        {Object.entries(RANGES).map(([name, { label }]) => (
          <option key={name} value={name}>{name === 'today' ? `${label} (${zone})` : label}</option>
        ))}
      </SelectField>
      <SelectField label="Ended" name="state" defaultValue={filters.state}>
        <option value="">In any way</option>
        {CALL_STATES.map((state) => <option key={state} value={state}>{STATES[state].word}</option>)}
      </SelectField>
      <SelectField label="Failure" name="class" defaultValue={filters.class}>
        <option value="">Any or none</option>
        {filters.class === '' || Object.hasOwn(failureWords, filters.class) ? null : <option value={filters.class}>{filters.class}</option>}
        {Object.keys(failureWords).map((cls) => <option key={cls} value={cls}>{cls.replaceAll('_', ' ')}</option>)}
      </SelectField>
      <SelectField label="Route" name="route" defaultValue={filters.route}>
        <option value="">Any</option>
        {withChosen(routes, filters.route).map((name) => <option key={name} value={name}>{name}</option>)}
      </SelectField>
      <SelectField label="Key" name="key" defaultValue={filters.key}>
        <option value="">Any</option>
        {filters.key === '' || keys.some((key) => key.id === filters.key) ? null : <option value={filters.key}>{filters.key}</option>}
        {keys.map((key) => <option key={key.id} value={key.id}>{key.name}</option>)}
      </SelectField>
      <input type="hidden" name="zone" value={zone} />
      <div className="flex flex-wrap gap-2">
        <button type="submit" className={buttonClass('secondary')}>Apply</button>
        {anySet ? <LinkButton variant="quiet" href={here}>Clear</LinkButton> : null}
      </div>
    </form>
  );
}

function withChosen(names: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || names.includes(chosen) ? names : [chosen, ...names];
}
