'use client';

import { Button, LinkButton, toast } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { EditConnectionFields, NewConnectionFields, type PresetChoice, type WireChoice } from './connection-fields';

export function NewConnectionForm({ action, presets, wires, cancelHref }: { action: FormAction; presets: PresetChoice[]; wires: WireChoice[]; cancelHref: string }) {
  return (
    <ActionForm action={action}>
      {(state, pending) => (
        <>
          <NewConnectionFields presets={presets} wires={wires} errors={state.errors} />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" busy={pending && 'Adding…'}>Add connection</Button>
            <LinkButton href={cancelHref}>Cancel</LinkButton>
          </div>
        </>
      )}
    </ActionForm>
  );
}

/** The fields are keyed by revision: after a save they start afresh from what was stored, with an empty secret. */
export function EditConnectionForm({ action, revision, name, baseUrl, wire, keyLast4 }: { action: FormAction<string>; revision: number; name: string; baseUrl: string | null; wire: WireChoice; keyLast4: string | null }) {
  return (
    <ActionForm action={action} onResult={() => toast.success('Connection saved')}>
      {(state, pending) => (
        <>
          <EditConnectionFields key={revision} name={name} baseUrl={baseUrl} wire={wire} keyLast4={keyLast4} errors={state.errors} />
          <div><Button type="submit" variant="primary" busy={pending && 'Saving…'}>Save connection</Button></div>
        </>
      )}
    </ActionForm>
  );
}
