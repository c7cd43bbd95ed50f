'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button, LinkButton } from '@/app/_ui';
import { ActionForm, type FormAction } from '@/app/_shell/action-form';
import { KeyFields, type KeyDefaults } from './key-fields';
import { RevealKey, type Issued } from './reveal-key';

export function IssueKeyForm({ action, routes, defaults, origin, workspace, backToOverview }: {
  action: FormAction<Issued>;
  routes: string[];
  defaults: KeyDefaults;
  origin: string;
  workspace: string;
  /** Where to go once the key is stored: the checklist while it is unfinished, else the key's page. */
  backToOverview: boolean;
}) {
  const router = useRouter();
  const [issued, setIssued] = useState<Issued | null>(null);

  function stored() {
    const id = issued?.id;
    setIssued(null); // the token leaves the DOM at once, before the next page is there
    router.push(backToOverview ? `/${workspace}` : `/${workspace}/keys/${id}`);
  }

  return (
    <>
      <ActionForm action={action} onResult={setIssued} needsScript>
        {(state, pending) => (
          <>
            <KeyFields routes={routes} defaults={defaults} errors={state.errors} />
            <div className="flex flex-wrap gap-2">
              <Button type="submit" variant="primary" busy={pending && 'Issuing…'}>Issue key</Button>
              <LinkButton href={`/${workspace}/keys`}>Cancel</LinkButton>
            </div>
          </>
        )}
      </ActionForm>
      <RevealKey issued={issued} origin={origin} onStored={stored} />
    </>
  );
}
