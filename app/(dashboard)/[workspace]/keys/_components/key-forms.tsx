'use client';

import { useRef } from 'react';
import { Button, toast } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { useUnsavedChanges } from '../../_components/unsaved-changes';
import { useEditedForm } from './edited-form';
import { KeyFields, type KeyDefaults } from './key-fields';

export function EditKeyForm({ action, revision, routes, defaults }: { action: FormAction<string>; revision: number; routes: string[]; defaults: KeyDefaults }) {
  const box = useRef<HTMLDivElement>(null);
  useUnsavedChanges('key', useEditedForm(box, revision));
  return (
    <div ref={box}>
      <ActionForm action={action} onResult={() => toast.success('Key saved')}>
        {(state, pending) => (
          <>
            <KeyFields key={revision} routes={routes} defaults={defaults} errors={state.errors} />
            <div><Button type="submit" variant="primary" busy={pending && 'Saving…'}>Save key</Button></div>
          </>
        )}
      </ActionForm>
    </div>
  );
}

export function DisableKeyForm({ action, disabled }: { action: FormAction; disabled: boolean }) {
  return (
    <ActionForm action={action} className="contents">
      {(_state, pending) => <Button type="submit" busy={pending && 'One moment…'}>{disabled ? 'Enable key' : 'Disable key'}</Button>}
    </ActionForm>
  );
}
