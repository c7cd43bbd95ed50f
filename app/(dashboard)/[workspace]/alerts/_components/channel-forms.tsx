'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button, CodeBlock, CopyButton, Dialog, DialogActions, Notice, SelectField, TextField } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { useStayHere } from '../../_components/stay-here';

export interface IssuedSecret {
  name: string;
  /** Null for e-mail. */
  secret: string | null;
  at: number;
}

export function AddChannel({ action, mailConfigured }: { action: FormAction<IssuedSecret>; mailConfigured: boolean }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [type, setType] = useState('webhook');
  const [issued, setIssued] = useState<IssuedSecret | null>(null);
  const close = (result: IssuedSecret) => {
    setOpen(false);
    if (result.secret === null) router.refresh();
    else setIssued(result);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add channel…</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Add a channel" description="Where alerts are told. Adding one contacts nobody.">
        <ActionForm action={action} needsScript onResult={close}>
          {(state, pending) => (
            <>
              <SelectField label="Kind" name="type" value={type} onChange={(event) => setType(event.target.value)} error={state.errors.type}>
                <option value="webhook">Signed webhook</option>
                <option value="email">E-mail</option>
              </SelectField>
              <TextField label="Name" name="name" required maxLength={100} autoComplete="off" error={state.errors.name} hint="Unique in the workspace." />
              {type === 'email' ? (
                <TextField key="email" label="Address" name="target" type="email" required autoComplete="off" error={state.errors.target} hint={mailConfigured ? undefined : 'This installation has no mail server (OHM_SMTP_URL): messages are kept in the delivery log.'} />
              ) : (
                <TextField key="url" label="URL" name="target" type="url" required mono autoComplete="off" placeholder="https://hooks.example.com/ohm" error={state.errors.target} hint="https, on a public address. Redirects are not followed." />
              )}
              <DialogActions>
                <Button onClick={() => setOpen(false)}>Cancel</Button>
                <Button type="submit" variant="primary" busy={pending && 'Adding…'}>Add channel</Button>
              </DialogActions>
            </>
          )}
        </ActionForm>
      </Dialog>
      <RevealSecret issued={issued} onStored={() => { setIssued(null); router.refresh(); }} />
    </>
  );
}

export function RotateSecret({ action, name }: { action: FormAction<IssuedSecret>; name: string }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [issued, setIssued] = useState<IssuedSecret | null>(null);
  return (
    <>
      <Button size="sm" aria-label={`Rotate the secret of ${name}`} onClick={() => setOpen(true)}>Rotate…</Button>
      <Dialog open={open} onOpenChange={setOpen} title={`Rotate the secret of ${name}`} description="While the old one overlaps, messages carry both signatures.">
        <ActionForm action={action} needsScript onResult={(result) => { setOpen(false); setIssued(result); }}>
          {(_state, pending) => (
            <>
              <SelectField label="Overlap" name="overlap_s" defaultValue="86400">
                <option value="0">None: the old secret ends now</option>
                <option value="3600">1 hour</option>
                <option value="86400">1 day</option>
                <option value="604800">7 days</option>
              </SelectField>
              <DialogActions>
                <Button onClick={() => setOpen(false)}>Cancel</Button>
                <Button type="submit" variant="primary" busy={pending && 'One moment…'}>Make a new secret</Button>
              </DialogActions>
            </>
          )}
        </ActionForm>
      </Dialog>
      <RevealSecret issued={issued} onStored={() => { setIssued(null); router.refresh(); }} />
    </>
  );
}

/** Shown once. Only "I stored it" closes it; then the secret leaves the page. */
function RevealSecret({ issued, onStored }: { issued: IssuedSecret | null; onStored: () => void }) {
  const leave = useStayHere(issued?.secret != null);
  if (issued?.secret == null) return null;
  return (
    <Dialog open locked wide onOpenChange={() => {}} title={`Secret of “${issued.name}”`} description="This is the only time that it is shown. It verifies that a message came from this workspace.">
      <div className="rounded-lg border border-line-strong bg-sunken p-3">
        <output data-testid="webhook-secret" className="block font-mono text-sm break-all select-all">{issued.secret}</output>
        <div className="mt-3"><CopyButton text={issued.secret} label="Copy secret" variant="primary" size="md" /></div>
      </div>
      <h3 className="mt-5 mb-1 text-sm font-semibold">Verify a message</h3>
      <CodeBlock title="TypeScript, npm install standardwebhooks" text={VERIFY} />
      <Notice tone="info" className="mt-4">A message may come twice, with the same <code className="font-mono">webhook-id</code>: take it once.</Notice>
      <DialogActions><Button variant="primary" onClick={() => leave(onStored)}>I stored it</Button></DialogActions>
    </Dialog>
  );
}

const VERIFY = `import { Webhook } from 'standardwebhooks';

// body: the request's bytes as they came. Throws when the signature is
// not right or the message is older than five minutes.
const alert = new Webhook(process.env.OHM_WEBHOOK_SECRET).verify(body, headers);`;
