'use client';

import { useState, type ReactNode } from 'react';
import { Button, Dialog, DialogActions, TextField, toast } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';

/**
 * An act that cannot be undone: it asks for the thing's name. The server compares it as well. Where the page stays, the
 * action's result is what came of it, in words.
 */
export function ConfirmByName({ action, name, button, title, description, disabled, compact, impossible, children }: {
  action: FormAction<string>; name: string; button: string; title: string; description: ReactNode; disabled?: boolean;
  /** In a row of a table: a small button, whose name for screen readers is the title. */
  compact?: boolean;
  /** Why it would be refused as things are: said at once, in place of the description and the fields. */
  impossible?: string | undefined;
  /** What else can be chosen with it. */
  children?: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  return (
    <>
      <Button variant="danger" size={compact ? 'sm' : 'md'} aria-label={compact ? title : undefined} disabled={disabled} onClick={() => { setTyped(''); setOpen(true); }}>{button}…</Button>
      <Dialog open={open} onOpenChange={setOpen} title={title} description={impossible ?? description}>
        {impossible === undefined ? (
          <ActionForm action={action} needsScript onResult={(outcome) => { setOpen(false); toast.success(outcome); }}>
            {(state, pending) => (
              <>
                <TextField
                  label={<>Type <strong className="font-mono break-all">{name}</strong> to confirm</>}
                  name="confirmation" autoComplete="off" spellCheck={false} autoCapitalize="none" mono
                  value={typed} onChange={(event) => setTyped(event.target.value)} error={state.errors.confirmation}
                />
                {children}
                <DialogActions>
                  <Button onClick={() => setOpen(false)}>Cancel</Button>
                  <Button type="submit" variant="danger" disabled={typed !== name} busy={pending && 'One moment…'}>{button}</Button>
                </DialogActions>
              </>
            )}
          </ActionForm>
        ) : (
          <DialogActions><Button onClick={() => setOpen(false)}>Cancel</Button></DialogActions>
        )}
      </Dialog>
    </>
  );
}
