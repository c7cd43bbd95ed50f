'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button, Dialog, DialogActions, SelectField } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { RevealKey, type Issued } from './reveal-key';

const OVERLAPS = [
  { seconds: 0, label: 'None: the old token ends now' },
  { seconds: 3600, label: '1 hour' },
  { seconds: 24 * 3600, label: '24 hours' },
  { seconds: 7 * 24 * 3600, label: '7 days' },
];

export function RotateKey({ action, origin, disabled }: { action: FormAction<Issued>; origin: string; disabled: boolean }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  return (
    <>
      <Button onClick={() => setOpen(true)} disabled={disabled}>Rotate…</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Rotate this key" description="It gets a new token and keeps its name, its settings and its history. The old token goes on working for the overlap, never beyond the key's own expiry.">
        <ActionForm action={action} needsScript onResult={(result) => { setOpen(false); setIssued(result); }}>
          {(state, pending) => (
            <>
              <SelectField label="Overlap" name="overlap_s" defaultValue="3600" error={state.errors.overlap_s}>
                {OVERLAPS.map((overlap) => <option key={overlap.seconds} value={overlap.seconds}>{overlap.label}</option>)}
              </SelectField>
              <DialogActions>
                <Button onClick={() => setOpen(false)}>Cancel</Button>
                <Button type="submit" variant="primary" busy={pending && 'Rotating…'}>Make a new token</Button>
              </DialogActions>
            </>
          )}
        </ActionForm>
      </Dialog>
      <RevealKey issued={issued} origin={origin} onStored={() => { setIssued(null); router.refresh(); }} />
    </>
  );
}
