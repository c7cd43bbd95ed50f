import type { Metadata } from 'next';
import Link from 'next/link';
import { requireMember } from '@/app/_auth/session';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { callSnippets } from '@/app/_shell/snippets';
import { cx, LinkButton, PageHeader, Section, Time } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { listCalls, summary } from '@/lib/metering';
import { Figures } from './_components/figures';
import { LatestCalls } from './_components/latest-calls';
import { FiringNotice } from './alerts/_components/firing-notice';
import { Checklist } from './_onboarding/checklist';
import { readProgress } from './_onboarding/read';

/** Asked here too: a layout's title is for the pages below it, and this one is beside it. */
export async function generateMetadata({ params }: { params: Promise<{ workspace: string }> }): Promise<Metadata> {
  await requireMember((await params).workspace);
  return { title: 'Overview' };
}

const DAY_MS = 24 * 3600_000;
const WINDOWS = { day: { label: '24 hours', days: 1 }, week: { label: '7 days', days: 7 }, month: { label: '30 days', days: 30 } };
type Window = keyof typeof WINDOWS;

export default async function OverviewPage({ params, searchParams }: { params: Promise<{ workspace: string }>; searchParams: SearchParams }) {
  const { workspace: slug } = await params;
  const { actor, workspace } = await requireMember(slug);
  const { env, ledger } = await runtime();
  const chosen = (await queryOf(searchParams)).range;
  const range: Window = chosen !== undefined && Object.hasOwn(WINDOWS, chosen) ? (chosen as Window) : 'day';
  const now = Date.now();
  const [progress, figures, latest] = await Promise.all([
    readProgress(actor),
    summary(ledger, actor.workspaceId, new Date(now - WINDOWS[range].days * DAY_MS), new Date(now)),
    listCalls(ledger, actor.workspaceId, { limit: 8 }),
  ]);
  return (
    <>
      <PageHeader title="Overview" lead={workspace.name} />
      <FiringNotice actor={actor} slug={slug} />
      <Checklist workspace={slug} initial={progress} snippets={callSnippets({ origin: env.publicUrl })} />
      {latest.data.length === 0 ? null : (
        <>
          <Section bare title="Figures" lead={<>Summed over the ledger&rsquo;s rows since <Time at={figures.from} />.</>} actions={<Windows current={range} path={`/${slug}`} />}>
            <Figures figures={figures} workspace={slug} range={range} />
          </Section>
          <Section bare title="Newest calls" actions={<LinkButton size="sm" href={`/${slug}/calls`}>All calls</LinkButton>}>
            <LatestCalls calls={latest.data} workspace={slug} />
          </Section>
        </>
      )}
    </>
  );
}

function Windows({ current, path }: { current: Window; path: string }) {
  return (
    <nav aria-label="Window" className="flex rounded-md border border-line p-0.5 text-xs">
      {(Object.keys(WINDOWS) as Window[]).map((name) => (
        <Link key={name} href={`${path}?range=${name}`} scroll={false} aria-current={name === current ? 'true' : undefined} className={cx('rounded px-2 py-1 text-muted hover:text-text', name === current && 'bg-hover font-medium text-text')}>
          {WINDOWS[name].label}
        </Link>
      ))}
    </nav>
  );
}
