import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { Chip, Empty, formatCount, formatMoney, LinkButton, Mono, PageHeader, Section, Table, TBody, Td, TdName, Th, THead, Time, TRow } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { retiresSoon } from '@/lib/catalog';
import type { PriceView } from '@/lib/management/schemas';
import { mayAct } from '@/lib/tenancy';
import { ActButton } from '../settings/forms';
import { StatePrice } from './_components/state-price';
import { statePriceAction, takePriceBackAction } from './actions';
import { inForce, type UsableModel, workspaceModels } from './read';

export const metadata: Metadata = { title: 'Models' };

export default async function ModelsPage({ params }: { params: Promise<{ workspace: string }> }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const nowMs = Date.now();
  const { usable, prices, connections } = await workspaceModels(tenancy, actor, nowMs);
  const mayEdit = mayAct(actor.role, 'admin');
  return (
    <>
      <PageHeader
        title="Models"
        lead={<>Catalog models that your connections serve. A key that allows direct models names them as they stand here, and <Mono>eco</Mono> takes the cheapest that can serve a request. All there are: <Link className="link" href="/models">the catalog</Link>.</>}
        actions={mayEdit && connections.length > 0 ? <LinkButton href="#state-price">State a price</LinkButton> : null}
      />
      <Section bare title="Usable by name" lead="Prices in force now, a million tokens.">
        {usable.length === 0 ? (
          <Empty title="No catalog model yet" action={<LinkButton href={`/${slug}/connections/new`} variant="primary">Add connection</LinkButton>}>
            A connection to a vendor of the catalog makes its models usable by name. Any other model is named connection/model.
          </Empty>
        ) : (
          <UsableTable models={usable} nowMs={nowMs} />
        )}
      </Section>
      <Section bare title="Your prices" lead="What you pay where it is not the list price: for a server of your own, or by agreement. Costs and eco go by them, and costs name them.">
        {prices.length === 0 ? (
          <p className="rounded-lg border border-line bg-surface p-4 text-sm text-muted">None: every model costs what the price lists say, and a model that no list knows has no cost.</p>
        ) : (
          <PriceTable prices={prices} slug={slug} mayEdit={mayEdit} nowMs={nowMs} />
        )}
      </Section>
      {mayEdit && connections.length > 0 ? (
        <Section title={<span id="state-price">State a price</span>}>
          <StatePrice action={statePriceAction.bind(null, slug)} connections={connections.map(({ name, provider }) => ({ name, provider }))} />
        </Section>
      ) : null}
    </>
  );
}

function UsableTable({ models, nowMs }: { models: UsableModel[]; nowMs: number }) {
  return (
    <Table caption="Models usable by name">
      <THead>
        <Th>Model</Th>
        <Th>At</Th>
        <Th figure unit="tokens">Context</Th>
        <Th figure>Input</Th>
        <Th figure>Output</Th>
        <Th>Price from</Th>
      </THead>
      <TBody>
        {models.map(({ model, connection, own }) => {
          const price = own ?? model.price;
          return (
            <TRow key={model.id}>
              <Td className="whitespace-nowrap"><Mono>{model.id}</Mono>{model.retires === null ? null : <> <Chip tone={retiresSoon(model.retires, nowMs) ? 'warning' : 'neutral'} icon={retiresSoon(model.retires, nowMs)}>retires {model.retires}</Chip></>}</Td>
              <TdName><Mono>{connection.name}</Mono></TdName>
              <Td figure>{formatCount(model.context_tokens)}</Td>
              <Td figure>{formatMoney(price?.input_nano_usd_per_million_tokens ?? null)}</Td>
              <Td figure>{formatMoney(price?.output_nano_usd_per_million_tokens ?? null)}</Td>
              <Td className="text-muted">{own !== null ? 'you' : model.price === null ? 'not known' : 'the list'}</Td>
            </TRow>
          );
        })}
      </TBody>
    </Table>
  );
}

function PriceTable({ prices, slug, mayEdit, nowMs }: { prices: PriceView[]; slug: string; mayEdit: boolean; nowMs: number }) {
  return (
    <Table caption="Your prices">
      <THead>
        <Th>Model</Th>
        <Th>Connection</Th>
        <Th>From</Th>
        <Th>Now</Th>
        <Th figure unit="/M">Input</Th>
        <Th figure unit="/M">Cached</Th>
        <Th figure unit="/M">Cache write</Th>
        <Th figure unit="/M">Output</Th>
        {mayEdit ? <Th><span className="sr-only">Take back</span></Th> : null}
      </THead>
      <TBody>
        {prices.map((price) => (
          <TRow key={price.id}>
            <TdName><Mono>{price.model}</Mono></TdName>
            <TdName><Mono>{price.connection}</Mono></TdName>
            <Td><Time at={price.effective_from} /></Td>
            <Td><PriceState price={price} prices={prices} nowMs={nowMs} /></Td>
            <Td figure>{formatMoney(price.input_nano_usd_per_million_tokens)}</Td>
            <Td figure><OrAsInput nanoUsd={price.cached_input_nano_usd_per_million_tokens} /></Td>
            <Td figure><OrAsInput nanoUsd={price.cache_write_nano_usd_per_million_tokens} /></Td>
            <Td figure>{formatMoney(price.output_nano_usd_per_million_tokens)}</Td>
            {mayEdit ? <Td><ActButton action={takePriceBackAction.bind(null, slug, price.id)} label="Take back" name={`Take back the price of ${price.model} at ${price.connection} from ${price.effective_from}`} /></Td> : null}
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function PriceState({ price, prices, nowMs }: { price: PriceView; prices: PriceView[]; nowMs: number }) {
  if (Date.parse(price.effective_from) > nowMs) return <Chip tone="info">to come</Chip>;
  return inForce(prices, price.connection, price.model, nowMs)?.id === price.id ? <Chip tone="good">in force</Chip> : <Chip tone="off">replaced</Chip>;
}

function OrAsInput({ nanoUsd }: { nanoUsd: number | null }) {
  return nanoUsd === null ? <span className="text-muted">as input</span> : <>{formatMoney(nanoUsd)}</>;
}
