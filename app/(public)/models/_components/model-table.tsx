import { Chip, formatCount, formatMoney, Mono, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import { type ListedModel, retiresSoon } from '@/lib/catalog';
import { ABILITY_WORDS } from './words';

/** One line a model; prices by the million tokens, which is how vendors state them. */
export function ModelTable({ models }: { models: readonly ListedModel[] }) {
  return (
    <Table caption="Models">
      <THead>
        <Th>Model</Th>
        <Th>Vendor</Th>
        <Th figure unit="tokens">Context, answer</Th>
        <Th figure unit="/M">Input</Th>
        <Th figure unit="/M">Cached</Th>
        <Th figure unit="/M">Output</Th>
        <Th>Able</Th>
      </THead>
      <TBody>
        {models.map((model) => (
          <TRow key={model.id}>
            <Td className="align-top">
              <div className="font-medium whitespace-nowrap">{model.label}</div>
              <Mono className="text-xs text-muted">{model.id}</Mono>
              <Notes model={model} />
            </Td>
            <Td className="align-top whitespace-nowrap">{model.vendor.label}</Td>
            <Td figure className="align-top">
              {formatCount(model.context_tokens)}
              <div className="text-xs text-muted">{formatCount(model.max_output_tokens)}</div>
            </Td>
            <Td figure className="align-top"><Rate nanoUsd={model.price?.input_nano_usd_per_million_tokens ?? null} /></Td>
            <Td figure className="align-top"><Rate nanoUsd={model.price?.cached_input_nano_usd_per_million_tokens ?? null} none="as input" /></Td>
            <Td figure className="align-top"><Rate nanoUsd={model.price?.output_nano_usd_per_million_tokens ?? null} /></Td>
            <Td className="min-w-44 align-top text-muted">{model.abilities.length === 0 ? 'text' : model.abilities.map((ability) => ABILITY_WORDS[ability]).join(', ')}</Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function Rate({ nanoUsd, none = 'not known' }: { nanoUsd: number | null; none?: string }) {
  return nanoUsd === null ? <span className="text-muted">{none}</span> : <>{formatMoney(nanoUsd)}</>;
}

/** What the figures beside it do not say. */
function Notes({ model: { price, retires } }: { model: ListedModel }) {
  const notes: string[] = [];
  const soon = retires !== null && retiresSoon(retires, Date.now());
  for (const { above_prompt_tokens: above, input_nano_usd_per_million_tokens: input, output_nano_usd_per_million_tokens: output } of price?.long_prompts ?? []) {
    notes.push(`above ${formatCount(above)} prompt tokens ${formatMoney(input)} in, ${formatMoney(output)} out`);
  }
  if (price?.request_nano_usd) notes.push(`and ${formatMoney(price.request_nano_usd)} a request`);
  if (price?.varies_by_hour) notes.push('another price at other hours (UTC)');
  if (price?.next) notes.push(`from ${price.next.from} ${formatMoney(price.next.input_nano_usd_per_million_tokens)} in, ${formatMoney(price.next.output_nano_usd_per_million_tokens)} out`);
  return (
    <>
      {notes.map((note) => <p key={note} className="max-w-64 text-xs text-muted">{note}</p>)}
      {retires === null ? null : <p className="mt-0.5"><Chip tone={soon ? 'warning' : 'neutral'} icon={soon}>retires {retires}</Chip></p>}
    </>
  );
}
