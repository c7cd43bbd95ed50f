import type { Metadata } from 'next';
import Link from 'next/link';
import { CodeBlock, Empty, formatCount, LinkButton, Mono, Section } from '@/app/_ui';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { runtime } from '@/lib/boot';
import { catalogDocument, filterModels, readFilter } from '@/lib/catalog';
import { presets } from '@/lib/providers';
import { ModelFilters } from './_components/model-filters';
import { ModelTable } from './_components/model-table';

export const metadata: Metadata = { title: 'Models', description: 'Every model that can be named here: context, abilities, and what a million tokens cost today.' };
export const dynamic = 'force-dynamic'; // prices have a moment

export default async function ModelsPage({ searchParams }: { searchParams: SearchParams }) {
  const { env } = await runtime();
  const filter = readFilter(await queryOf(searchParams));
  const document = catalogDocument(Date.now());
  const models = filterModels(document.data, filter);
  const vendors = [...new Map(document.data.map(({ vendor }) => [vendor.id, vendor.label]))].map(([id, label]) => ({ id, label }));
  const others = presets.filter(({ id, catalog, kind }) => id !== 'custom' && catalog === null && kind === 'http');
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">Models</h1>
      <p className="mt-3 mb-6 max-w-3xl text-base text-muted">
        {formatCount(document.data.length)} chat models that a client can name, once their workspace has a <em>connection</em> to the vendor. A key that allows direct models writes the name as it stands here; a route puts any of them into a tier. Prices are the vendors&rsquo; list prices in force today, charged by them and not by this gateway.
      </p>
      <ModelFilters filter={filter} vendors={vendors} abilities={document.abilities} />
      <p role="status" className="mb-2 text-sm text-muted">{models.length === document.data.length ? `All ${models.length} models` : `${models.length} of ${document.data.length} models`}</p>
      {models.length === 0 ? (
        <Empty title="No model fits" action={<LinkButton href="/models">Show all models</LinkButton>}>Take a word or an ability away.</Empty>
      ) : (
        <ModelTable models={models} />
      )}
      <p className="mt-3 mb-10 text-xs text-muted">
        Context holds prompt and answer; under it stands the longest answer. /M is a million tokens. Figures of the vendors&rsquo; own model pages; prices from {[...new Set(document.data.map(({ price }) => price?.version).filter(Boolean))].join(' and ')}. A workspace can state prices of its own, and the ledger names the list behind each cost.
      </p>
      <Section title="Models that are not listed" lead="A catalog is never whole. Any other model of a connection is named as connection/model.">
        <p className="text-sm">
          Behind {others.map(({ label }) => label).join(', ')} and any server of your own, it is the account or the server that says what a model is called, so none of those is listed here. <Mono>main/some-model</Mono> asks the connection <Mono>main</Mono> for <Mono>some-model</Mono>. Its calls have a cost where a price list knows the model or the workspace states a price.
        </p>
      </Section>
      <MachineReadable origin={env.publicUrl} />
    </>
  );
}

const MEMBERS: [string, string][] = [
  ['id', 'what a client names as the model'],
  ['vendor, presets', 'whose account it takes, and the connection presets that serve it'],
  ['vendor_model', 'what the vendor calls it, and what is sent there'],
  ['context_tokens, max_output_tokens', 'prompt and answer together; the longest answer'],
  ['abilities', 'of tools, images, pdf, audio, json_schema and reasoning'],
  ['thinks', 'it reasons before every answer, so the default time-outs are longer'],
  ['retires', 'day from which the vendor says that it answers no more, else null'],
  ['price', 'integer nano-USD for a million tokens: input, output, cached_input, cache_write (null: as input); long_prompts above a number of prompt tokens; next, with its day, where one is announced; null where no list knows it'],
];

function MachineReadable({ origin }: { origin: string }) {
  return (
    <Section title="The same for machines" lead="Readable from any origin, cacheable for five minutes, with an ETag.">
      <CodeBlock title="curl" text={`curl -sS ${origin}/v1/public/models`} />
      <dl className="mt-4 grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[max-content_1fr]">
        {MEMBERS.map(([name, meaning]) => (
          <div key={name} className="contents">
            <dt><Mono>{name}</Mono></dt>
            <dd className="mb-1 min-w-0 text-muted sm:mb-0">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">
        What one key may call is another list: <Mono>GET /v1/models</Mono> with that key. Names and routes are explained in <Link className="link" href="/docs">the docs</Link>.
      </p>
    </Section>
  );
}
