import { LinkButton, Notice } from '@/app/_ui';
import type { Role } from '@/lib/tenancy';

/** In place of what a page is for, where the reader's role does not do: which role does, and the way back. */
export function NeedsRole({ act, least, role, back }: {
  /** As the sentence begins: `Issuing a key`. */
  act: string;
  least: Exclude<Role, 'viewer'>;
  /** The reader's own. */
  role: Role;
  back: { href: string; label: string };
}) {
  return (
    <Notice tone="warning" action={<LinkButton size="sm" href={back.href}>{back.label}</LinkButton>}>
      {act} needs the role {least === 'owner' ? least : `${least} or higher`}; yours is {role}.
    </Notice>
  );
}
