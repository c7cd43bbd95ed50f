import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { found } from '@/app/_shell/found';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Empty, Facts, formatCount, formatMoney, LinkButton, PageHeader, Section, Time, formatCounted } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { savingsView } from '@/lib/management';
import { keyListQuery, type SavingsView } from '@/lib/management/schemas';
import { listKeys } from '@/lib/tenancy';
import { ComparisonView } from './_components/comparison';
import { FilterForm } from './_components/filter-form';
import { PERIODS, readFilters, reportQuery } from './_components/filters';
import { CountedTexts } from './_components/counted-texts';
import { RowView } from './_components/row-view';
import { SaverBars } from './_components/saver-bars';
import { callsText, tokensText } from './_components/words';

export const metadata: Metadata = { title: 'Savings' };

export default async function SavingsPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy, ledger } = await runtime();
  const filters = readFilters(await queryOf(searchParams));
  const now = Date.now();
  const [report, keys] = await Promise.all([
    found(savingsView({ tenancy, ledger }, actor, reportQuery(filters, now), now)),
    listKeys(tenancy, actor, keyListQuery.parse({ limit: 100 })),
  ]);
  const here = `/${slug}/savings`;
  const models = report.data.flatMap(({ model }) => model ?? []);
  return (
    <>
      <PageHeader
        title="Savings"
        lead={<>What savers took out of requests, and what that was worth: {PERIODS[filters.period].label.toLowerCase()}, from <Time at={report.from} /> to <Time at={report.to} />. A loss is shown as one.</>}
        actions={<LinkButton href="/waste">Try savers on a text</LinkButton>}
      />
      <FilterForm here={here} filters={filters} keys={keys.data.map(({ id, name }) => ({ id, name }))} models={models} />
      {report.total.calls === 0 ? <Nothing slug={slug} here={here} anySet={filters.key !== '' || filters.model !== ''} /> : <Report report={report} slug={slug} />}
      <Replay replay={report.replay} />
    </>
  );
}

function Report({ report, slug }: { report: SavingsView; slug: string }) {
  const { total, data } = report;
  const callsOf = ({ key, model }: SavingsView['data'][number]) => `/${slug}/calls?${new URLSearchParams({ key: key.id, ...(model === null ? {} : { model }), from: report.from, to: report.to })}`;
  const isOne = data.length === 1 && report.left_out === 0;
  return (
    <>
      {isOne ? null : <Together total={total} />}
      <Section bare title="By key and model" lead="Within a key and a model conversations fall into an arm by chance alone, so each is compared on its own.">
        <div className="grid gap-3">{data.map((row) => <RowView key={`${row.key.id} ${row.provider} ${row.model}`} row={row} open={isOne} calls={callsOf(row)} />)}</div>
        {report.left_out > 0 ? <p className="mt-2 text-xs text-muted">{formatCount(report.left_out)} more with fewer calls are in the sums and not shown.</p> : null}
        <details className="mt-3 text-xs text-muted"><summary className="cursor-pointer">How savings are worked out</summary><p className="mt-1 max-w-3xl">{report.method}</p></details>
      </Section>
    </>
  );
}

/** All rows summed; a single one is its own sum. */
function Together({ total }: { total: SavingsView['total'] }) {
  return (
    <>
      <Section title="Measured against a hold-out" lead="What the provider billed in conversations that savers worked on, against conversations that were left as they came.">
        <ComparisonView comparison={total.comparison} caption="Both arms, all rows together" />
      </Section>
      <Section title="By our own count" lead="Tokens of the texts as received and as sent, by the same tokenizer. Counted, not compared with anything: it says nothing of the bill.">
        <CountedTexts />
        <Facts
          items={[
            { name: 'Calls with savers', value: <span className="tabular-nums">{formatCount(total.calls)}, hold-out included; {formatCount(total.rewritten_calls)} were rewritten, {formatCount(total.measured_calls)} counted</span> },
            { name: 'Received, sent', value: total.tokens_received === null || total.tokens_sent === null ? <span className="text-muted">not counted</span> : <span className="tabular-nums">{formatCount(total.tokens_received)}, {formatCounted(total.tokens_sent, 'token')}</span> },
            { name: 'Saved', value: total.tokens_saved === null ? <span className="text-muted">not counted</span> : <span className={total.tokens_saved < 0 ? 'font-medium text-danger tabular-nums' : 'font-medium tabular-nums'}>{tokensText(total.tokens_saved)} tokens</span> },
            { name: 'Became longer', value: <span className="tabular-nums">{callsText(total.longer_calls)}</span> },
          ]}
        />
      </Section>
      <Section bare title="By saver" lead="Tokens by our own count, from a common zero.">
        {total.savers.length === 0 ? <p className="text-sm text-muted">No saver changed anything in this time.</p> : <SaverBars savers={total.savers} of="all rows together" />}
      </Section>
    </>
  );
}

/** Calls not made are no rewritten ones: apart, and in none of the figures above. */
function Replay({ replay }: { replay: SavingsView['replay'] }) {
  return (
    <Section title="Replay, apart from savers" lead="Calls that were not made, because a stored answer was served again. In none of the figures above.">
      <Facts
        items={[
          { name: 'Answers served again', value: <span className="tabular-nums">{formatCount(replay.calls)}</span> },
          { name: 'Tokens as stored', value: replay.prompt_tokens === null && replay.completion_tokens === null ? <span className="text-muted">not reported</span> : <span className="tabular-nums">{formatCount(replay.prompt_tokens)} of prompts, {formatCount(replay.completion_tokens)} of answers</span> },
          { name: 'Would have cost', value: <span className="tabular-nums">{replay.cost_nano_usd === null ? <span className="text-muted">{replay.calls === 0 ? 'nothing was replayed' : 'no known price'}</span> : formatMoney(replay.cost_nano_usd)}{replay.unpriced_calls > 0 ? <span className="text-muted"> ({callsText(replay.unpriced_calls)} without a known price left out)</span> : null}</span> },
        ]}
      />
    </Section>
  );
}

function Nothing({ slug, here, anySet }: { slug: string; here: string; anySet: boolean }) {
  return (
    <div className="mb-6">
      {anySet ? <Empty title="No such call with savers in this time" action={<LinkButton href={here}>Show all savings</LinkButton>}>A call is counted once it has ended.</Empty> : (
        <Empty title="No call with savers in this time" action={<LinkButton variant="primary" href={`/${slug}/keys`}>Choose a key</LinkButton>}>
          Savers are switched on for a key. With a hold-out of a few percent the savings are measured from the provider&rsquo;s own bill; <Link className="link" href="/waste">try them on a text</Link> first.
        </Empty>
      )}
    </div>
  );
}
