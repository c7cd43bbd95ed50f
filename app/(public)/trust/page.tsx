import type { Metadata } from 'next';
import Link from 'next/link';
import { Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import { DocHeading, Prose } from '../docs/_components/doc';

export const metadata: Metadata = { title: 'Trust', description: 'What Ohm keeps, for how long and who can read it, what a power failure may cost, and what it does not protect against.' };

export default function TrustPage() {
  return (
    <>
      <header className="mb-8 max-w-3xl">
        <h1 className="text-xl font-semibold tracking-tight">Trust</h1>
        <p className="mt-3 text-base text-muted">What is kept, for how long and who can read it; what a crash or a power failure may cost; and what this product does not protect against.</p>
      </header>

      <section aria-labelledby="what-is-kept">
        <DocHeading id="what-is-kept">What is kept</DocHeading>
        <Prose><p>Prompts are not kept, but for the texts that savers changed where a key asks for that. Answers are kept where a key replays them, which it does unless that is switched off where the key is made. Everything else below is what the product needs to work and to count.</p></Prose>
        <div className="mt-4">
          <Table caption="What Ohm keeps">
            <THead><Th>What</Th><Th>How</Th><Th>How long</Th></THead>
            <TBody>{KEPT.map(({ what, how, long }) => <TRow key={what}><Td className="min-w-44">{what}</Td><Td className="min-w-64">{how}</Td><Td className="min-w-44">{long}</Td></TRow>)}</TBody>
          </Table>
        </div>
        <div className="mt-6"><Prose><p>Logs hold ids, codes and times; no bodies, no keys. Nothing is sent anywhere but to the providers that a route names, the mail server for alerts and invitations, the webhooks that an alert names, and the Redis or Upstash that the operator names. There is no telemetry.</p></Prose></div>
      </section>

      <section aria-labelledby="crashes">
        <DocHeading id="crashes">Crashes and power failures</DocHeading>
        <Prose>
          <ul>
            <li><strong>The process dies</strong>, at any instant: no row of a delivered answer is lost. A call’s row is in the journal, in the kernel’s hands, before its last byte is sent; the next start brings it into PostgreSQL and closes what was open as <code>lost</code>.</li>
            <li><strong>The power fails</strong>: <code>fdatasync</code> begins at most 5 ms after a row was written, in groups. Rows of those milliseconds, and of the time the disk takes, may be lost, and with them the record of answers that clients have.</li>
            <li><strong>PostgreSQL is away</strong>: open streams go on, and their rows wait in the journal. New calls are taken for as long as their key is still known, at most 4 s, and then refused with 503; those of a key with a budget in money at once, because nobody can say what is left.</li>
            <li><strong>Without a data folder</strong> there is no journal: a row goes to PostgreSQL before its answer ends. <a className="link" href="/ready">/ready</a> and the <Link className="link" href="/honesty">honesty document</Link> name the one in use.</li>
          </ul>
        </Prose>
      </section>

      <section aria-labelledby="who-can-read">
        <DocHeading id="who-can-read">Who can read what</DocHeading>
        <Prose>
          <ul>
            <li><strong>Another workspace</strong>: nothing. Every tenant table has row-level security, enabled and forced, under a role that owns no table; whatever belongs to somebody else is a 404.</li>
            <li><strong>Members</strong>: viewers see calls, usage and settings; kept texts are for developers and above, and the audit log says who read them. Provider keys and API keys are shown to nobody once they are saved.</li>
            <li><strong>Whoever operates this installation</strong>: everything. With the database and <code>OHM_SECRET</code> what is encrypted can be opened. Encryption protects a stolen database or backup, not from the operator.</li>
            <li><strong>A provider</strong>: what the tiers before the one that served were sent, too. A request that failed over has been read by every provider that was asked; the call’s page lists them.</li>
          </ul>
        </Prose>
      </section>

      <section aria-labelledby="not-protected">
        <DocHeading id="not-protected">What it does not do</DocHeading>
        <Prose>
          <ul>
            <li>No second factor, no single sign-on.</li>
            <li>Nothing deletes the rows of calls, by age or otherwise, and a workspace cannot be deleted yet. Rows hold no texts, but names, tags and figures.</li>
            <li>Scripts of the pages are same-origin only, but inline scripts are allowed, because the framework writes them.</li>
            <li>Nothing verifies the address of an account when it is made. An invitation does, where there is a mail server: its link goes to the address alone, so that whoever accepts has the mailbox. Without one the inviter is shown the link and passes it on, and vouches for the address: whoever holds the link can make an account with it and join. Whoever registers an address that is not theirs keeps the account until its owner asks for a new password.</li>
            <li>A new password goes by a link to the address of the account, which works once, for an hour; whoever has the mailbox has the account. Without a mail server only the operator can make such a link, or set a password. Either way every session of the person ends; the API keys and management keys of their workspaces stay, and who does not know them revokes them. No workspace’s audit log has it, since a person belongs to none: the person is told by mail, and the installation’s own log has a line.</li>
            <li>No certificate, no audit by a third party. The <Link className="link" href="/docs/streaming-failover">contract</Link> names the test behind each promise; run it.</li>
          </ul>
        </Prose>
      </section>
    </>
  );
}

const KEPT = [
  { what: 'Requests', how: 'Not at all. In memory while the call is open, their text as it came until a tier has committed.', long: 'until the call ends' },
  { what: 'Answers, of keys that replay', how: 'Encrypted for the workspace, under a keyed hash of the request, in memory or in the operator’s Redis. Whole answers only.', long: '1 hour unless the key says otherwise; purged on request' },
  { what: 'Texts that savers changed, of keys that ask for it', how: 'Before and after, encrypted for the workspace and the call. Off unless switched on.', long: '1 to 30 days, as the key says; purged on request' },
  { what: 'Calls', how: 'One row each: ids, names, the tag, states, times, bytes, tokens, cost, and the provider’s error code. Of a provider’s error sentence nothing where it may quote the request.', long: 'for good' },
  { what: 'Provider keys', how: 'AES-256-GCM with a key of the workspace’s own under OHM_SECRET. Write-only, bound to the origin they were given for.', long: 'until replaced or deleted' },
  { what: 'API keys', how: 'Only a hash. Shown once.', long: 'until deleted' },
  { what: 'Passwords', how: 'argon2id.', long: 'until changed' },
  { what: 'Links to a new password', how: 'Of the link only a hash, with the person and the time. It works once.', long: '1 hour, or until used or replaced; the row goes when somebody next asks' },
  { what: 'Invitations', how: 'The address, the role and who invited; of the link only a hash. It works once, for 7 days.', long: 'until accepted or revoked; the audit log keeps the address' },
  { what: 'Sessions', how: 'A row each, looked up with every request, so that ending one works at once.', long: 'until they end or run out' },
  { what: 'Exports', how: 'Files of call rows, in the database.', long: '7 days' },
  { what: 'Alert deliveries', how: 'What was sent and what came back.', long: '30 days' },
] as const;
