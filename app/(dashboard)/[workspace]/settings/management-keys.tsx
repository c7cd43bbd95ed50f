import { Chip, Empty, Mono, Section, Table, TBody, Td, TdName, Th, THead, Time, TRow } from '@/app/_ui';
import type { ManagementKeyView } from '@/lib/management/schemas';
import { mayAct, ROLES, type Role } from '@/lib/tenancy';
import { ConfirmByName } from '../_components/confirm-by-name';
import { issueManagementKeyAction, revokeManagementKeyAction } from './actions';
import { IssueManagementKey } from './issue-management-key';

/** Keys for the management API: for admins and owners, who make none above their own role. */
export function ManagementKeys({ keys, total, slug, role, origin, nowMs }: {
  keys: ManagementKeyView[];
  total: number;
  slug: string;
  /** The reader's own. */
  role: Role;
  origin: string;
  nowMs: number;
}) {
  return (
    <Section
      bare title="Management keys"
      lead={<>For scripts that set up connections, routes and keys over <Mono>{origin}/api/v1</Mono>. They open nothing at <Mono>/v1</Mono>, and gateway keys open nothing here.</>}
      actions={<IssueManagementKey action={issueManagementKeyAction.bind(null, slug)} roles={ROLES.filter((candidate) => mayAct(role, candidate))} origin={origin} />}
    >
      {keys.length === 0 ? (
        <Empty title="No management keys">The dashboard needs none. Issue one for a script or a deployment tool.</Empty>
      ) : (
        <>
          <KeyTable keys={keys} slug={slug} role={role} nowMs={nowMs} />
          {total > keys.length ? <p className="mt-2 text-xs text-muted">{keys.length} of {total}, by name.</p> : null}
        </>
      )}
    </Section>
  );
}

function KeyTable({ keys, slug, role, nowMs }: { keys: ManagementKeyView[]; slug: string; role: Role; nowMs: number }) {
  return (
    <Table caption="Management keys">
      <THead><Th>Name</Th><Th>Role</Th><Th>Token</Th><Th>Last used</Th><Th>Expires</Th><Th>Issued</Th><Th><span className="sr-only">Revoke</span></Th></THead>
      <TBody>
        {keys.map((key) => (
          <TRow key={key.id}>
            <TdName>{key.name}</TdName>
            <Td>{key.role}</Td>
            <Td><Mono className="whitespace-nowrap text-muted">{key.masked}</Mono></Td>
            <Td><Time at={key.last_used_at} format="relative" /></Td>
            <Td>{key.expires_at !== null && Date.parse(key.expires_at) <= nowMs ? <Chip tone="warning">expired</Chip> : <Time at={key.expires_at} />}</Td>
            <Td><Time at={key.created_at} format="date" /></Td>
            <Td>
              {mayAct(role, key.role) ? (
                <ConfirmByName
                  compact action={revokeManagementKeyAction.bind(null, slug, key.id, key.name)} name={key.name} button="Revoke" title={`Revoke ${key.name}`}
                  description="Whatever uses it is refused with 401 from its next request on, and for good."
                />
              ) : null}
            </Td>
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}
