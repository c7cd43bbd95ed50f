'use client';

import { Button, toast } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';

export function ForgetAnswers({ action, shared }: { action: FormAction<string>; shared: boolean }) {
  return (
    <ActionForm action={action} onResult={() => toast.success('Stored answers forgotten')} className="contents">
      {(_state, pending) => <Button type="submit" size="sm" busy={pending && 'Forgetting…'}>{shared ? 'Forget shared answers' : 'Forget stored answers'}</Button>}
    </ActionForm>
  );
}
