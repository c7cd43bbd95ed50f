import { Chip, Facts, LinkButton, Section } from '@/app/_ui';
import type { KeyView } from '@/lib/management/schemas';
import { saverById } from '@/lib/savers';
import { DeleteTexts } from '../../_kept-texts/delete-texts';

/** Which savers work for a key now, and where it stands what they saved. */
export function SaversSection({ keyView: key, slug, mayEdit }: { keyView: KeyView; slug: string; mayEdit: boolean }) {
  const { percent } = key.holdout;
  return (
    <Section
      title="Savers"
      actions={
        <>
          {mayEdit && key.keep_texts !== null ? <DeleteTexts workspace={slug} of={{ key: key.id }} name={key.name} compact /> : null}
          <LinkButton size="sm" href={`/${slug}/savings?key=${key.id}`}>What they saved</LinkButton>
        </>
      }
    >
      <Facts
        items={[
          { name: 'On', value: key.savers.length === 0 ? <span className="text-muted">none: messages are sent as they come</span> : <On ids={key.savers} /> },
          { name: 'Hold-out', value: percent === 0 ? <span className="text-muted">none: savings of this key are only estimated</span> : <span className="tabular-nums">{percent}% <span className="text-muted">of conversations are sent as they come, for comparison</span></span> },
          { name: 'Rewritten texts', value: key.keep_texts === null ? <span className="text-muted">not kept: receipts have counts only</span> : <span className="tabular-nums">kept for {key.keep_texts.days} {key.keep_texts.days === 1 ? 'day' : 'days'} <span className="text-muted">encrypted, for developers and above</span></span> },
        ]}
      />
    </Section>
  );
}

function On({ ids }: { ids: KeyView['savers'] }) {
  return (
    <ul className="grid gap-1">
      {ids.map((id) => {
        const { label, lossless } = saverById(id);
        return <li key={id} className="flex flex-wrap items-center gap-2">{label} <Chip tone={lossless ? 'good' : 'warning'}>{lossless ? 'lossless' : 'lossy'}</Chip></li>;
      })}
    </ul>
  );
}
