import { Chip, cx, formatBytes, formatCount, formatShare, Notice, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import type { Appraisal, AppraisalEnd, SaverEffect } from '@/lib/waste';
import { ChangesView } from './changes-view';
import { LOST, READ_AS, signed, tokenizerWords, UNDONE_WORDS } from './saver-words';

/** What savers would do to a text, or why that is not known. `heading` is the level of the parts' headings. */
export function AppraisalView({ end, heading: Heading = 'h3' }: { end: AppraisalEnd; heading?: 'h3' | 'h4' }) {
  if (!end.ok) return <Notice tone={end.reason === 'empty' ? 'info' : 'danger'} live>{refusalWords(end)}</Notice>;
  const { appraisal } = end;
  return (
    <div className="grid min-w-0 gap-5">
      <Total appraisal={appraisal} />
      <div className="min-w-0">
        <Heading className="mb-2 text-sm font-semibold">By saver</Heading>
        <Effects appraisal={appraisal} />
        <p className="mt-2 text-xs text-muted">Those that are on work one after the other, in this order. One that is off is shown as if it were the only one. A minus sign would be a loss; a dash says that nothing was there to change.</p>
      </div>
      <Lost appraisal={appraisal} heading={Heading} />
      <div className="min-w-0">
        <Heading className="mb-2 text-sm font-semibold">Before and after</Heading>
        <ChangesView changes={appraisal.changes} leftOut={appraisal.changesLeftOut} none="No text was changed: what is sent is what was pasted." label={(id) => appraisal.savers.find(({ saver }) => saver === id)?.label ?? id} />
      </div>
    </div>
  );
}

export function refusalWords(end: Exclude<AppraisalEnd, { ok: true }>): string {
  switch (end.reason) {
    case 'empty': return 'There is no text. Paste one, or take a sample.';
    case 'too_large': return 'The text has more than 200,000 bytes of UTF-8. Paste a part of it.';
    case 'busy': return 'Too many texts are being worked on at this moment. Nothing was worked out; send it again in a few seconds.';
    case 'rate_limited': return `Too many texts came from your network in a minute. Send it again in ${end.resetS} s.`;
  }
}

function Total({ appraisal: { reading, tokenizer, tokens, bytes } }: { appraisal: Appraisal }) {
  const saved = tokens === null ? null : tokens.before - tokens.after;
  return (
    <div>
      <dl className="grid grid-cols-1 overflow-hidden rounded-lg border border-line sm:grid-cols-3">
        <Figure name="Tokens before" value={tokens === null ? 'not counted' : formatCount(tokens.before)} basis={formatBytes(bytes.before)} />
        <Figure name="Tokens after" value={tokens === null ? 'not counted' : formatCount(tokens.after)} basis={formatBytes(bytes.after)} />
        <Figure name="Saved" value={saved === null ? 'not counted' : signed(saved)} basis={tokens === null || saved === null ? 'no share without a count' : `${saved < 0 ? '−' : ''}${formatShare(Math.abs(saved), tokens.before)} of the tokens`} />
      </dl>
      <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <Chip tone="warning">estimate_only</Chip>
        <span>
          Read as {READ_AS[reading.kind]}{reading.model === null ? '' : ` for ${reading.model}`}: {formatCount(reading.texts)} {reading.texts === 1 ? 'text' : 'texts'}
          {reading.locked > 0 ? `, ${formatCount(reading.locked)} of them left alone because of a cache mark, a signature or reasoning` : ''}. Counted with {tokenizerWords(tokenizer)}. A provider bills more than texts, and other counts: only a hold-out on real calls measures a saving.
        </span>
      </p>
    </div>
  );
}

function Figure({ name, value, basis }: { name: string; value: string; basis: string }) {
  return (
    <div className="border-line p-3 not-last:border-b sm:not-last:border-r sm:not-last:border-b-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="mt-0.5 text-lg tabular-nums">{value}</dd>
      <dd className="text-xs text-muted">{basis}</dd>
    </div>
  );
}

function Effects({ appraisal }: { appraisal: Appraisal }) {
  return (
    <Table caption="Effect of each saver">
      <THead><Th>Saver</Th><Th figure>Texts</Th><Th figure>Bytes saved</Th><Th figure>Tokens saved</Th></THead>
      <TBody>
        {appraisal.savers.map((effect) => (
          <TRow key={effect.saver}>
            <th scope="row" className="min-w-40 px-3 py-1.5 text-left font-normal">{effect.label} <span className="block text-xs text-muted">{effect.lossless ? 'lossless' : 'lossy'}; {stateWords(effect)}</span></th>
            <Td figure>{effect.texts === 0 ? <Nothing /> : formatCount(effect.texts)}</Td>
            <Td figure>{effect.texts === 0 ? <Nothing /> : signed(effect.bytesSaved)}</Td>
            <Td figure className={cx((effect.tokensSaved ?? 0) < 0 && 'text-danger')}>{effect.tokensSaved === null ? <Nothing /> : signed(effect.tokensSaved)}</Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function stateWords({ chosen, undone }: SaverEffect): string {
  const state = chosen ? 'on' : 'off, shown alone';
  return undone === null ? state : `${state}; undone in part or whole: ${UNDONE_WORDS[undone]}`;
}

/** Never 0 where nothing was done: a dash to the eye, the words to everybody else. */
function Nothing() {
  return <span className="text-muted"><span aria-hidden>–</span><span className="sr-only">nothing to change</span></span>;
}

function Lost({ appraisal, heading: Heading }: { appraisal: Appraisal; heading: 'h3' | 'h4' }) {
  const worked = appraisal.savers.filter(({ chosen, texts }) => chosen && texts > 0);
  return (
    <div>
      <Heading className="mb-2 text-sm font-semibold">What would be lost</Heading>
      {worked.length === 0 ? <p className="text-sm text-muted">Nothing: no saver that is on changed this text.</p> : (
        <ul className="grid gap-1.5 text-sm">
          {worked.map(({ saver, label, lossless }) => (
            <li key={saver}><span className="font-medium">{label}</span> <Chip tone={lossless ? 'good' : 'warning'}>{lossless ? 'lossless' : 'lossy'}</Chip> <span className="text-muted">{LOST[saver]}</span></li>
          ))}
        </ul>
      )}
    </div>
  );
}
