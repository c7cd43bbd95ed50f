import type { Metadata } from 'next';
import { requireMember } from '@/app/_auth/session';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { Breadcrumbs, buttonClass, Bytes, Chip, Count, Empty, Facts, PageHeader, Section, Table, TBody, Td, Th, THead, Time, TRow, type Tone } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { KEPT_DAYS, listExports, MOST_ROWS } from '@/lib/management';
import type { ExportView } from '@/lib/management/schemas';
import { keyNames } from '@/lib/tenancy';
import { ownTime, RANGES, readFilters, type CallFilters } from '../_components/filters';
import { createExportAction, deleteExportAction } from './actions';
import { CreateExportForm, DeleteExportForm, WhileWriting } from './forms';

export const metadata: Metadata = { title: 'Exports' };

export default async function ExportsPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor } = await requireMember(slug);
  const { tenancy } = await runtime();
  const search = await queryOf(searchParams);
  const filters = readFilters(search);
  const list = await listExports(tenancy, actor);
  const names = await keyNames(tenancy, actor, [filters.key, ...list.map(({ filter }) => filter.key ?? '')].filter((id) => id !== ''));
  const keyName = (id: string) => names.get(id)?.name ?? id;
  const here = `/${slug}/calls/exports`;
  return (
    <>
      <Breadcrumbs items={[{ label: 'Calls', href: `/${slug}/calls?${new URLSearchParams(search)}` }, { label: 'Exports' }]} />
      <PageHeader title="Exports" lead={`Files of calls, written behind the scenes: newest call first, ${MOST_ROWS.toLocaleString('en-US')} at the most, kept for ${KEPT_DAYS} days.`} />
      {list.some(({ state }) => state === 'queued' || state === 'running') ? <WhileWriting /> : null}
      <Section title="Export calls" lead="The filters are those of the calls list that you came from. In a CSV, texts that a spreadsheet would run as a formula get an apostrophe in front.">
        <Facts className="mb-4" items={factsOf(filters, keyName)} />
        <CreateExportForm action={createExportAction.bind(null, slug, search)} />
      </Section>
      <Section bare title="Files">
        {list.length === 0 ? <Empty title="No exports">What you export stands here until it goes after {KEPT_DAYS} days.</Empty> : (
          <Table caption="Exports, newest first">
            <THead>
              <Th>Asked for</Th>
              <Th>State</Th>
              <Th>Calls with</Th>
              <Th>Format</Th>
              <Th figure>Calls</Th>
              <Th figure>Size</Th>
              <Th><span className="sr-only">Actions</span></Th>
            </THead>
            <TBody>
              {list.map((each) => (
                <TRow key={each.id}>
                  <Td><Time at={each.created_at} /></Td>
                  <Td><Chip tone={TONES[each.state]}>{WORDS[each.state]}</Chip>{each.error === null ? null : <p className="mt-1 max-w-64 text-xs text-muted">{each.error}</p>}</Td>
                  <Td><span className="block max-w-80 min-w-40">{filterWords(each, keyName)}</span></Td>
                  <Td>{each.format === 'csv' ? 'CSV' : 'JSON Lines'}</Td>
                  <Td figure><Count value={each.rows} />{each.capped ? <span className="text-muted"> (the newest)</span> : null}</Td>
                  <Td figure><Bytes value={each.bytes} /></Td>
                  <Td>
                    <span className="flex justify-end gap-2">
                      {each.state === 'finished' ? <a className={buttonClass('secondary', 'sm')} href={`${here}/${each.id}`} download>Download</a> : null}
                      <DeleteExportForm action={deleteExportAction.bind(null, slug, each.id)} name={`Delete the export of ${each.created_at.slice(0, 16).replace('T', ' ')} UTC`} />
                    </span>
                  </Td>
                </TRow>
              ))}
            </TBody>
          </Table>
        )}
      </Section>
    </>
  );
}

const WORDS: Record<ExportView['state'], string> = { queued: 'waiting', running: 'being written', finished: 'finished', failed: 'failed' };
const TONES: Record<ExportView['state'], Tone> = { queued: 'neutral', running: 'info', finished: 'good', failed: 'danger' };

function factsOf(filters: CallFilters, keyName: (id: string) => string): { name: string; value: string }[] {
  const time = ownTime(filters) ? [filters.from && `from ${filters.from}`, filters.to && `before ${filters.to}`].filter(Boolean).join(', ') : RANGES[filters.range].label;
  const named = [
    ['Ended', filters.state],
    ['Failure', filters.class],
    ['Route', filters.route],
    ['Key', filters.key && keyName(filters.key)],
    ['Model', filters.model],
    ['Connection', filters.connection],
    ['Tag', filters.tag],
  ] as const;
  return [{ name: 'Time', value: time }, ...named.flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]))];
}

function filterWords({ filter }: ExportView, keyName: (id: string) => string): string {
  const { key, from, to, ...rest } = filter;
  const minute = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`;
  return [
    ...(key === undefined ? [] : [`key ${keyName(key)}`]),
    ...Object.entries(rest).map(([name, value]) => `${name} ${value}`),
    ...(from === undefined ? [] : [`from ${minute(from)}`]),
    `before ${minute(to)}`,
  ].join(', ');
}
