import type { Metadata } from 'next';
import Link from 'next/link';
import { requireSameOrigin } from '@/app/_auth/same-origin';
import { SAVER_CARDS } from '@/app/_savers/saver-cards';
import { queryOf, type SearchParams } from '@/app/_shell/search-params';
import { cx } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import { isSample, LOSSLESS, MAX_PASTED_BYTES, SAMPLES, sampleOf } from '@/lib/waste';
import { WasteForm } from './_components/waste-form';
import type { WasteState } from './_components/waste-state';

export const metadata: Metadata = { title: 'Waste', description: 'Paste a prompt and see what deterministic savers would take out of it: tokens before and after, and what would be lost.' };

export default async function WastePage({ searchParams }: { searchParams: SearchParams }) {
  await requireSameOrigin();
  const { sample: named = '' } = await queryOf(searchParams);
  const chosen = isSample(named) ? named : null;
  const { waste } = await runtime();
  const values = { text: chosen === null ? '' : sampleOf(chosen).text, as: 'tool' as const, savers: LOSSLESS, tokenizer: null };
  const initial: WasteState = { values, end: chosen === null ? null : await waste.sample(chosen) };
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">Waste in a prompt</h1>
      <p className="mt-3 max-w-3xl text-base text-muted">
        Agents send much that no model needs: the same file twice, colours of a terminal, indentation of JSON. <em>Savers</em> are deterministic rewrites that a key can switch on. Here you see what each would do to a text of yours.
      </p>
      <p className="mt-3 mb-6 max-w-3xl text-sm text-muted">
        No account is needed, no model is asked, and nothing is stored or logged: the text is worked on in memory and forgotten. Every figure is an estimate from one text. What a key really saves is measured with a <em>hold-out</em>: some of its conversations stay as they came, and what the provider bills for both is compared.
      </p>
      <nav aria-label="Samples" className="mb-6">
        <h2 className="mb-2 text-sm font-semibold">Take a sample</h2>
        <ul className="grid gap-2 sm:grid-cols-2">
          {SAMPLES.map(({ id, label, about }) => (
            <li key={id}>
              <Link href={`/waste?sample=${id}`} prefetch={false} aria-current={chosen === id ? 'true' : undefined} className={cx('block h-full rounded-md border bg-surface p-3 text-sm hover:bg-hover', chosen === id ? 'border-accent' : 'border-line')}>
                <span className="font-medium text-accent">{label}</span>
                <span className="mt-0.5 block text-xs text-muted">{about}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <WasteForm key={chosen ?? ''} cards={SAVER_CARDS} initial={initial} maxBytes={MAX_PASTED_BYTES} />
    </>
  );
}
