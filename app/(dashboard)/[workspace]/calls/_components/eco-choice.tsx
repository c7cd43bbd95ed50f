import { formatCount, formatMoney, Mono, Section, Table, TBody, Td, Th, THead, TRow, formatCounted } from '@/app/_ui';
import type { CallRow } from '@/lib/metering/call-row';

type EcoRow = NonNullable<CallRow['eco']>[number];
type LeftOut = NonNullable<EcoRow['candidates'][number]['left_out']>;

const LEFT_OUT: Record<LeftOut, string> = {
  unpriced: 'no known price',
  context_length: 'the request does not fit into its context',
  max_output: 'its answers are shorter than asked for',
  operation: 'it only chats',
  tools: 'it takes no tools',
  images: 'it takes no images',
  pdf: 'it takes no documents',
  audio: 'it takes or gives no audio',
  json_schema: 'it answers by no JSON schema',
  reasoning: 'it does not reason',
};

/** What each eco tier compared, and whom it came down to. */
export function EcoChoices({ rows }: { rows: EcoRow[] }) {
  return rows.map((row) => (
    <Section key={row.tier} bare title={`Eco choice of tier ${row.tier}`} lead={basis(row)}>
      <Table caption={`Candidates of tier ${row.tier}, cheapest first`}>
        <THead>
          <Th>Model</Th>
          <Th>Connection</Th>
          <Th figure>Would cost</Th>
          <Th>Price from</Th>
          <Th>What became of it</Th>
        </THead>
        <TBody>
          {row.candidates.map((candidate) => (
            <TRow key={`${candidate.connection}/${candidate.model}`}>
              <Td><Mono>{candidate.model}</Mono></Td>
              <Td><Mono>{candidate.connection}</Mono></Td>
              <Td figure><span title={candidate.cost_nano_usd === null ? undefined : `${candidate.cost_nano_usd} nano-USD`}>{candidate.cost_nano_usd === null ? 'not known' : formatMoney(candidate.cost_nano_usd)}</span></Td>
              <Td className="text-muted"><Mono>{candidate.price_version ?? 'no list'}</Mono></Td>
              <Td className="min-w-48">{fate(row, candidate)}</Td>
            </TRow>
          ))}
        </TBody>
      </Table>
      {row.not_listed > 0 ? <p className="mt-2 text-xs text-muted">{row.not_listed} dearer or left-out candidates are not on record.</p> : null}
    </Section>
  ));
}

function basis({ prompt_tokens: prompt, completion_tokens: completion, completion_source: source, chosen }: EcoRow): string {
  const answer = source === 'request' ? 'the most that the request allows' : 'taken where a request names no limit';
  return `Compared for about ${formatCounted(prompt, 'token')} of prompt and ${formatCount(completion)} of answer (${answer}). ${chosen === null ? 'Nobody was asked.' : 'By price alone, never by speed; the first that was healthy was asked.'}`;
}

function fate({ chosen }: EcoRow, { connection, model, left_out: leftOut }: EcoRow['candidates'][number]): string {
  if (leftOut !== null) return `left out: ${LEFT_OUT[leftOut]}`;
  if (chosen?.connection === connection && chosen.model === model) return 'chosen';
  return 'asked only if a cheaper one fails; see the attempts';
}
