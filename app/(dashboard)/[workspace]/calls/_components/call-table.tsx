import Link from 'next/link';
import { CopyButton, formatBytes, formatCount, formatDuration, Mono, StateChip, Table, TBody, Td, Th, THead, Time, TRow, ZoneName, formatCounted } from '@/app/_ui';
import { CompactTimeline, endingOf } from '@/app/_ui/timeline';
import type { CallRow } from '@/lib/metering/call-row';
import { costWords } from './call-words';

/** One row a call, whatever became of it. A dropped attempt on a call that finished is no error: the state says "finished". */
export function CallTable({ calls, here, keyNames }: { calls: readonly CallRow[]; here: string; keyNames: ReadonlyMap<string, string> }) {
  return (
    <Table caption="Calls, newest first" className="[&_:is(th,td)]:px-1.5 [&_th]:whitespace-normal [&_th]:align-bottom">
      <THead>
        <Th>Time (<ZoneName />)</Th>
        <Th>Ended</Th>
        <Th>Timeline</Th>
        <Th>Route and model</Th>
        <Th>Key</Th>
        <Th figure>First content</Th>
        <Th figure>Whole</Th>
        <Th figure unit="in, out">Tokens</Th>
        <Th figure unit="USD">Cost</Th>
        <Th figure>Flushed</Th>
        <Th><span className="sr-only">Copy </span>Request id</Th>
      </THead>
      <TBody>
        {calls.map((call) => (
          <TRow key={call.id}>
            <Td className="whitespace-nowrap">
              <Link href={`${here}/${call.id}`} className="link">
                <Time at={call.created_at} zone={false} />
              </Link>
            </Td>
            <Td>
              <StateChip state={endingOf(call)} detail={detailOf(call)} />
            </Td>
            <Td className="w-36 min-w-28 xl:min-w-20 2xl:min-w-28">
              <CompactTimeline call={call} />
            </Td>
            <Td>
              <div className="max-w-40 min-w-32 break-words 2xl:max-w-56">
                {call.requested_model ? <Mono>{call.requested_model}</Mono> : <span className="text-muted">not known</span>}
                {call.model === null ? null : (
                  <span className="text-xs text-muted">
                    {' '}
                    {call.tier === null ? '' : `tier ${call.tier}, `}
                    <Mono>{call.model}</Mono>
                  </span>
                )}
              </div>
            </Td>
            <Td className="max-w-24 truncate 2xl:max-w-28" title={keyNames.get(call.key_id)}>{keyNames.get(call.key_id) ?? <span className="text-muted">a key no longer listed</span>}</Td>
            <Td figure>{call.first_content_ms === null ? <None words={call.state === 'lost' ? 'not known' : 'none was sent'} /> : formatDuration(call.first_content_ms)}</Td>
            <Td figure>{call.duration_ms === null ? <None words="not known" /> : formatDuration(call.duration_ms)}</Td>
            <Td figure>
              {call.usage === null ? <None words={call.state === 'lost' ? 'not known' : 'not reported'} /> : (
                <span title={call.usage_source === 'estimate' ? 'Estimated' : 'As the provider reported it'}>
                  {call.usage_source === 'estimate' ? '≈ ' : ''}
                  {call.usage.prompt_tokens === null ? '?' : formatCount(call.usage.prompt_tokens)}, {call.usage.completion_tokens === null ? '?' : formatCount(call.usage.completion_tokens)}
                </span>
              )}
            </Td>
            <Td figure>{call.cost_nano_usd === null ? <None words={costWords(call)} shown /> : costWords(call)}</Td>
            <Td figure>{call.flushed_bytes === null ? <None words="not known" /> : <span title={formatCounted(call.flushed_bytes, 'byte')}>{formatBytes(call.flushed_bytes)}</span>}</Td>
            <Td className="whitespace-nowrap">
              <CopyButton text={call.id} label={`…${call.id.slice(-6)}`} variant="quiet" className="-mx-1.5 font-mono" />
            </Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function detailOf(call: CallRow): string | null {
  if (call.state === 'rejected') return call.status === null ? null : String(call.status);
  if (call.state === 'truncated') return call.alert_class?.split('.')[0]?.replaceAll('_', ' ') ?? null;
  return null;
}

/** Never 0 for what is not known: a dash to the eye, the words to everybody else. */
function None({ words, shown }: { words: string; shown?: boolean }) {
  if (shown) return <span className="text-muted">{words}</span>;
  return (
    <span className="text-muted" title={words}>
      <span aria-hidden>–</span>
      <span className="sr-only">{words}</span>
    </span>
  );
}
