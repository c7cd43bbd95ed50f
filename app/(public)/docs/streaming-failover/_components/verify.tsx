import Link from 'next/link';
import { CodeBlock } from '@/app/_ui';
import { PUBLIC_COMMANDS, VERIFY_COMMANDS } from '@/lib/claims';
import { Prose } from '../../_components/doc';

/** Commands against this installation. A test runs those that need a key. */
export function VerifyCommands({ base }: { base: string }) {
  return (
    <>
      <Prose>
        <p>Nothing here needs an account with a model provider. <Link href="/sign-up" className="link">Create a workspace</Link>, issue a key that allows direct models, and set it:</p>
      </Prose>
      <div className="mt-3 max-w-3xl"><CodeBlock title="Shell" text="export OHM_API_KEY=ohm_sk_…" /></div>
      <ol className="mt-4 grid max-w-3xl gap-5">
        {VERIFY_COMMANDS.map((each) => <Command key={each.id} title={each.title} look={each.look} text={each.command(base)} />)}
        {PUBLIC_COMMANDS.map((each) => <Command key={each.title} title={`${each.title} (no key)`} look={each.look} text={each.command(base)} />)}
      </ol>
    </>
  );
}

function Command({ title, look, text }: { title: string; look: string; text: string }) {
  return (
    <li className="min-w-0">
      <p className="text-sm font-medium">{title}</p>
      <p className="mb-2 text-sm text-muted">{look}</p>
      <CodeBlock title="curl" text={text} />
    </li>
  );
}
