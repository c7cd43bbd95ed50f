'use client';

import { Button, toast } from '@/app/_ui';
import { ActionForm } from '@/app/_shell/action-form';
import type { ReplayPurge } from '@/lib/management/schemas';
import { forgetAnswersAction } from './actions';

/** Forgets the stored answers of a key, a route or the whole workspace: the next equal request asks a provider again. */
export function ForgetAnswers({ workspace, of, label = 'Forget stored answers', size = 'md' }: { workspace: string; of: ReplayPurge; label?: string; size?: 'sm' | 'md' }) {
  return (
    <ActionForm action={forgetAnswersAction.bind(null, workspace, of)} onResult={() => toast.success('Stored answers forgotten')} className="contents">
      {(_state, pending) => <Button type="submit" size={size} busy={pending && 'Forgetting…'}>{label}</Button>}
    </ActionForm>
  );
}
