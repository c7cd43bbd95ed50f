'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { Button, SelectField } from '@/app/_ui';

export function CreateExportForm({ action }: { action: FormAction }) {
  return (
    <ActionForm action={action}>
      {(state, pending) => (
        <div className="flex flex-wrap items-end gap-3">
          <SelectField label="Format" name="format" defaultValue="csv" error={state.errors.format} className="w-56">
            <option value="csv">CSV, a row a call</option>
            <option value="jsonl">JSON Lines, with every attempt</option>
          </SelectField>
          <Button type="submit" variant="primary" busy={pending && 'Asking…'}>Export these calls</Button>
        </div>
      )}
    </ActionForm>
  );
}

export function DeleteExportForm({ action, name }: { action: FormAction; name: string }) {
  return (
    <ActionForm action={action} className="contents">
      {(_state, pending) => <Button type="submit" size="sm" aria-label={name} busy={pending && 'Deleting…'}>Delete</Button>}
    </ActionForm>
  );
}

/** Looks again while something is being written. */
export function WhileWriting() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), 2_000);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
