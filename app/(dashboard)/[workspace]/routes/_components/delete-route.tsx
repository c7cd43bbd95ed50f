'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import type { RouteView } from '@/lib/management/schemas';
import { Button, Dialog, DialogActions, Notice, toast } from '@/app/_ui';
import { deleteRoute } from '../actions';

export function DeleteRoute({ workspace, route }: { workspace: string; route: RouteView }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [deleting, startDeleting] = useTransition();
  const keys = route.default_of_keys;

  function remove() {
    startDeleting(async () => {
      const outcome = await deleteRoute(workspace, route.id, route.revision);
      if (!outcome.ok) return setProblem(outcome.message);
      toast.success(`Route ${route.name} deleted.`);
      router.push(`/${workspace}/routes`);
    });
  }

  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>Delete route</Button>
      <Dialog open={open} onOpenChange={setOpen} title={`Delete route ${route.name}`}>
        <p className="text-sm">
          Calls that name <code>{route.name}</code> are answered with 404 from then on, within 5 s everywhere. Its calls stay in the record.
        </p>
        {keys.length === 0 ? null : (
          <Notice tone="warning" className="mt-3" title={`It is the default route of ${keys.length === 1 ? 'a key' : `${keys.length} keys`}`}>
            {keys.join(', ')}. Give {keys.length === 1 ? 'it' : 'them'} another default first.
          </Notice>
        )}
        {problem === null ? null : <Notice tone="danger" live className="mt-3">{problem}</Notice>}
        <DialogActions>
          <Button onClick={() => setOpen(false)}>Keep it</Button>
          <Button variant="danger" busy={deleting && 'Deleting'} onClick={remove}>Delete {route.name}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
