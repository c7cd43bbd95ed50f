import { Facts, formatCount, formatShare, Section } from '@/app/_ui';
import { runtime } from '@/lib/boot';
import type { KeyView } from '@/lib/management/schemas';
import { usage } from '@/lib/metering';
import { ForgetAnswers } from '../../_replay/forget-answers';
import { replayWords } from './replay-words';

const DAYS = 30;

/** What replay has done for a key, counted from its calls in the ledger. */
export async function ReplaySection({ keyView: key, workspaceId, slug, mayForget }: { keyView: KeyView; workspaceId: string; slug: string; mayForget: boolean }) {
  const { ledger } = await runtime();
  const to = new Date();
  const { total } = await usage(ledger, workspaceId, { from: new Date(to.getTime() - DAYS * 86_400_000), to, step: null, zone: 'UTC', groupBy: null, filter: { key: key.id } });
  const { hit, miss, bypass } = total.replay;
  return (
    <Section title="Exact replay" actions={mayForget ? <ForgetAnswers workspace={slug} of={{ key: key.id }} size="sm" {...(key.replay.scope === 'workspace' ? { label: 'Forget shared answers' } : {})} /> : null}>
      <Facts
        items={[
          { name: 'Now', value: replayWords(key.replay) },
          { name: `Hit rate, ${DAYS} days`, value: hit + miss === 0 ? <span className="text-muted">nothing was looked for</span> : <span className="tabular-nums">{formatShare(hit, hit + miss)} <span className="text-muted">({formatCount(hit)} of {formatCount(hit + miss)} that looked)</span></span> },
          { name: 'Not looked for', value: <span className="tabular-nums">{formatCount(bypass)} <span className="text-muted">calls: off, bypassed, or refused before</span></span> },
        ]}
      />
    </Section>
  );
}
