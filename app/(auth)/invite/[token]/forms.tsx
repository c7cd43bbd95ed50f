'use client';

import { Button } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import type { Role } from '@/lib/tenancy/actor';

export function AcceptForm({ action, role }: { action: FormAction; role: Role }) {
  return (
    <ActionForm action={action}>
      {(_state, pending) => <div><Button type="submit" variant="primary" busy={pending && 'Joining…'}>{`Join as ${role}`}</Button></div>}
    </ActionForm>
  );
}

export function SwitchAccount({ action }: { action: () => Promise<void> }) {
  return (
    <form action={action} className="mt-2">
      <Button type="submit" size="sm">Use another account</Button>
    </form>
  );
}
