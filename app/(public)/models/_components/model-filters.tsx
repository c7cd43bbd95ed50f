import { buttonClass, LinkButton, SelectField, TextField } from '@/app/_ui';
import type { CatalogFilter, Order } from '@/lib/catalog';
import { ABILITY_WORDS } from './words';

const ORDER_WORDS: Record<Order, string> = {
  catalog: 'By vendor',
  input: 'Cheapest input first',
  output: 'Cheapest output first',
  context: 'Largest context first',
};

const CONTEXTS = [
  { tokens: 0, label: 'Any' },
  { tokens: 200_000, label: '200,000 tokens or more' },
  { tokens: 1_000_000, label: '1,000,000 tokens or more' },
];

/** A plain GET form: the search is the address, which can be shared and kept, and nothing of it needs script. */
export function ModelFilters({ filter, vendors, abilities }: { filter: CatalogFilter; vendors: { id: string; label: string }[]; abilities: readonly (keyof typeof ABILITY_WORDS)[] }) {
  return (
    <form action="/models" role="search" aria-label="Filter models" key={JSON.stringify(filter)} className="mb-4 rounded-lg border border-line bg-surface p-4">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] items-end gap-3">
        <TextField label="Name or vendor" name="q" type="search" defaultValue={filter.q} maxLength={100} autoComplete="off" spellCheck={false} />
        <SelectField label="Vendor" name="vendor" defaultValue={filter.vendor}>
          <option value="">Any</option>
          {vendors.map(({ id, label }) => <option key={id} value={id}>{label}</option>)}
        </SelectField>
        <SelectField label="Context" name="context" defaultValue={filter.context === 0 ? '' : String(filter.context)}>
          {CONTEXTS.map(({ tokens, label }) => <option key={tokens} value={tokens === 0 ? '' : tokens}>{label}</option>)}
          {CONTEXTS.some(({ tokens }) => tokens === filter.context) ? null : <option value={filter.context}>{filter.context} tokens or more</option>}
        </SelectField>
        <SelectField label="Order" name="order" defaultValue={filter.order}>
          {Object.entries(ORDER_WORDS).map(([order, label]) => <option key={order} value={order}>{label}</option>)}
        </SelectField>
      </div>
      <fieldset className="mt-3">
        <legend className="text-sm font-medium">Able to take or give</legend>
        <div className="mt-1 flex flex-wrap gap-x-5 gap-y-1">
          {abilities.map((ability) => (
            <label key={ability} className="inline-flex min-h-6 items-center gap-2 py-0.5 text-sm">
              <input type="checkbox" name={ability} value="1" defaultChecked={filter.abilities.includes(ability)} className="size-4 accent-accent" />
              {ABILITY_WORDS[ability]}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="mt-3 flex flex-wrap gap-2">
        <button type="submit" className={buttonClass('secondary')}>Show models</button>
        <LinkButton variant="quiet" href="/models">Clear</LinkButton>
      </div>
    </form>
  );
}
