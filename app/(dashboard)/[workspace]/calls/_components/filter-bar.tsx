'use client';

import { useRouter } from 'next/navigation';
import { buttonClass, LinkButton, SelectField, STATES, useHydrated } from '@/app/_ui';
import { failureWords } from '@/app/_ui/timeline';
import { addressOf, ownTime, RANGES, readFilters, type CallFilters } from './filters';

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
        if (chosen.range !== OWN_TIME) delete chosen.from, delete chosen.to;
        router.push(addressOf(here, readFilters(chosen)));
      }}
    >
      <SelectField label="Time" name="range" defaultValue={ownTime(filters) ? OWN_TIME : filters.range}>
        {ownTime(filters) ? <option value={OWN_TIME}>{timeWords(filters)}</option> : null}
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
      {(['model', 'connection', 'tag'] as const).map((name) => filters[name] === '' ? null : (
        <SelectField key={name} label={LABELS[name]} name={name} defaultValue={filters[name]}>
          <option value="">Any</option>
          <option value={filters[name]}>{filters[name]}</option>
        </SelectField>
      ))}
      {ownTime(filters) ? <><input type="hidden" name="from" value={filters.from} /><input type="hidden" name="to" value={filters.to} /></> : null}
      <input type="hidden" name="zone" value={zone} />
      <div className="flex flex-wrap gap-2">
        <button type="submit" className={buttonClass('secondary')}>Apply</button>
        {anySet ? <LinkButton variant="quiet" href={here}>Clear</LinkButton> : null}
      </div>
    </form>
  );
}

/** The choice that stands for the address's own time; no name of a range. */
const OWN_TIME = 'own';
const LABELS = { model: 'Model', connection: 'Connection', tag: 'Tag' };

function timeWords({ from, to }: CallFilters): string {
  const short = (iso: string) => `${new Date(iso).toISOString().slice(0, 16).replace('T', ' ')}`;
  if (to === '') return `Since ${short(from)} UTC`;
  return from === '' ? `Before ${short(to)} UTC` : `${short(from)} to ${short(to)} UTC`;
}

function withChosen(names: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || names.includes(chosen) ? names : [chosen, ...names];
}
