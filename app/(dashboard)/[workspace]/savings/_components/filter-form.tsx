import { buttonClass, SelectField } from '@/app/_ui';
import { PERIODS, type SavingsFilters } from './filters';

/** A plain GET form: what is shown is the address, and nothing of it needs script. */
export function FilterForm({ here, filters, keys, models }: { here: string; filters: SavingsFilters; keys: readonly { id: string; name: string }[]; models: readonly string[] }) {
  return (
    <form action={here} key={JSON.stringify(filters)} role="search" aria-label="Choose what is summed" className="mb-6 grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] items-end gap-3">
      <SelectField label="Time" name="period" defaultValue={filters.period}>
        {Object.entries(PERIODS).map(([name, { label }]) => <option key={name} value={name}>{label}</option>)}
      </SelectField>
      <SelectField label="Key" name="key" defaultValue={filters.key}>
        <option value="">Any</option>
        {filters.key === '' || keys.some(({ id }) => id === filters.key) ? null : <option value={filters.key}>{filters.key}</option>}
        {keys.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
      </SelectField>
      <SelectField label="Model" name="model" defaultValue={filters.model}>
        <option value="">Any</option>
        {[...new Set([...models, ...(filters.model === '' ? [] : [filters.model])])].map((model) => <option key={model} value={model}>{model}</option>)}
      </SelectField>
      <div><button type="submit" className={buttonClass('secondary')}>Show</button></div>
    </form>
  );
}
