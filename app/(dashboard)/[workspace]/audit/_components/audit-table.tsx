import Link from 'next/link';
import { hrefWith } from '@/app/_shell/search-params';
import { Mono, Table, TBody, Td, TdName, Th, THead, Time, TRow, ZoneName } from '@/app/_ui';
import type { AuditEntryView } from '@/lib/management/schemas';
import { changes, inShort } from './changes';

/** One line an entry. A thing's id leads to everything that was ever done to it. */
export function AuditTable({ entries, names, path }: { entries: AuditEntryView[]; names: ReadonlyMap<string, string>; path: string }) {
  return (
    <Table caption="Entries, newest first">
      <THead><Th figure>No.</Th><Th>When (<ZoneName />)</Th><Th>Who</Th><Th>What</Th><Th>Thing</Th><Th>Before and after</Th></THead>
      <TBody>
        {entries.map((entry) => (
          <TRow key={entry.seq}>
            <Td figure className="align-top">{entry.seq}</Td>
            <Td className="align-top"><Time at={entry.at} zone={false} /></Td>
            <TdName className="align-top">{names.get(entry.actor_id) ?? (entry.actor_kind === 'system' ? 'the product itself' : <Mono>{entry.actor_id}</Mono>)}</TdName>
            <Td className="align-top">{entry.action}</Td>
            <Td className="align-top"><Link className="link" href={hrefWith(path, {}, { target: entry.target })}>{entry.target.startsWith('user_') && names.has(entry.target) ? names.get(entry.target) : <Mono>{entry.target}</Mono>}</Link></Td>
            <Td className="min-w-56 align-top"><Changes of={entry} /></Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function Changes({ of: { seq, before, after, hash } }: { of: AuditEntryView }) {
  const changed = changes(before, after);
  return (
    <details>
      <summary className="cursor-pointer">{inShort(before, after)}</summary>
      {changed.length === 0 ? null : (
        <dl className="mt-1 max-w-xl rounded-md bg-sunken p-2 text-xs" aria-label={`Change ${seq}`}>
          {changed.map(({ name, from, to }) => (
            <div key={name} className="mb-1"><dt className="font-medium">{name}</dt><dd className="font-mono break-all whitespace-pre-wrap">{from === null ? '' : `${from} → `}{to ?? 'gone'}</dd></div>
          ))}
        </dl>
      )}
      <p className="mt-1 text-xs break-all text-muted">hash <Mono>{hash}</Mono></p>
    </details>
  );
}
