import { Facts, formatCount, formatShare, Section } from '@/app/_ui';
import type { FormAction } from '@/app/_shell/action-form';
import { runtime } from '@/lib/boot';
import type { KeyView } from '@/lib/management/schemas';
import { usage } from '@/lib/metering';
import { ForgetAnswers } from './forget-answers';
import { replayWords } from './replay-words';

const DAYS = 30;

/** What replay has done for a key, counted from its calls in the ledger; `forget` where its answers may be forgotten by hand. */
export async function ReplaySection({ keyView: key, workspaceId, forget }: { keyView: KeyView; workspaceId: string; forget: FormAction<string> | null }) {
  const { ledger } = await runtime();
  const to = new Date();
  const { total } = await usage(ledger, workspaceId, { from: new Date(to.getTime() - DAYS * 86_400_000), to, step: null, zone: 'UTC', groupBy: null, filter: { key: key.id } });
  const { hit, miss, bypass } = total.replay;
  return (
    <Section title="Exact replay" actions={forget ? <ForgetAnswers action={forget} shared={key.replay.scope === 'workspace'} /> : null}>
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
