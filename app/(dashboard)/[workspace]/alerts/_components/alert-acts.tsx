'use client';

import { Button, SelectField, toast } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';

export function MuteForm({ action, muted }: { action: FormAction<string>; muted: boolean }) {
  return (
    <ActionForm action={action} onResult={() => toast.success(muted ? 'No longer muted' : 'Muted')} className="flex flex-wrap items-end gap-2">
      {(_state, pending) =>
        muted ? (
          <><input type="hidden" name="mute" value="off" /><Button type="submit" busy={pending && 'One moment…'}>Unmute</Button></>
        ) : (
          <>
            <SelectField label="Mute for" name="mute" defaultValue="1h" className="w-32">
              <option value="1h">1 hour</option>
              <option value="8h">8 hours</option>
              <option value="1d">1 day</option>
              <option value="7d">7 days</option>
            </SelectField>
            <Button type="submit" busy={pending && 'One moment…'}>Mute</Button>
          </>
        )
      }
    </ActionForm>
  );
}

/** One button that does one thing, and says in a toast that it did. */
export function Act({ action, label, done, name, size = 'md' }: { action: FormAction<string>; label: string; done: string; /** For screen readers, where the label alone is not enough. */ name?: string; size?: 'sm' | 'md' }) {
  return (
    <ActionForm action={action} onResult={() => toast.success(done)} className="contents">
      {(_state, pending) => <Button type="submit" size={size} aria-label={name} busy={pending && 'One moment…'}>{label}</Button>}
    </ActionForm>
  );
}
