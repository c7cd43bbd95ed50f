import Link from 'next/link';
import { Bytes, Duration, Mono, StateChip, Table, TBody, Td, TdName, Th, THead, Time, TRow } from '@/app/_ui';
import { CompactTimeline, endingOf } from '@/app/_ui/timeline';
import type { CallRow } from '@/lib/metering';

export function LatestCalls({ calls, workspace }: { calls: CallRow[]; workspace: string }) {
  return (
    <Table caption="Newest calls">
      <THead>
        <Th>When</Th>
        <Th>State</Th>
        <Th>Timeline</Th>
        <Th>Route</Th>
        <Th>Answered by</Th>
        <Th figure>Flushed</Th>
        <Th figure>Took</Th>
      </THead>
      <TBody>
        {calls.map((call) => (
          <TRow key={call.id}>
            <Td><Link className="link" href={`/${workspace}/calls/${call.id}`}><Time at={call.created_at} format="relative" /></Link></Td>
            <Td><StateChip state={endingOf(call)} /></Td>
            <Td className="w-56 min-w-40"><CompactTimeline call={call} /></Td>
            <TdName>{call.route || <span className="text-muted">not known</span>}</TdName>
            <TdName>{call.model === null ? <span className="text-muted">{call.state === 'lost' ? 'not known' : 'nobody'}</span> : <Mono>{call.model}</Mono>}</TdName>
            <Td figure><Bytes value={call.flushed_bytes} /></Td>
            <Td figure><Duration ms={call.duration_ms} /></Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}
