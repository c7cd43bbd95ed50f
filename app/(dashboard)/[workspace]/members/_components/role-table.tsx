import { Check, Minus } from 'lucide-react';
import { cx, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import { mayAct, ROLES, type Role } from '@/lib/tenancy';
import { rights } from './role-rights';

export function RoleTable({ mine }: { mine: Role }) {
  return (
    <Table caption="What each role may do">
      <THead>
        <Th>What</Th>
        {ROLES.map((role) => <Th key={role} className={cx('text-center', role === mine && 'text-text')}>{role}{role === mine ? ' (you)' : ''}</Th>)}
      </THead>
      <TBody>
        {rights().map(({ what, least }) => (
          <TRow key={what}>
            <Td className="min-w-36">{what}</Td>
            {ROLES.map((role) => <Td key={role} className="text-center"><Allowed yes={mayAct(role, least)} /></Td>)}
          </TRow>
        ))}
      </TBody>
    </Table>
  );
}

function Allowed({ yes }: { yes: boolean }) {
  const Icon = yes ? Check : Minus;
  return (
    <>
      <Icon aria-hidden size={15} className={cx('inline', yes ? 'text-good' : 'text-muted')} />
      <span className="sr-only">{yes ? 'yes' : 'no'}</span>
    </>
  );
}
