import type { Metadata } from 'next';
import Link from 'next/link';
import { ERROR_CODES } from '@/lib/claims';
import { STEPS } from '@/lib/providers/sandbox';

export const metadata: Metadata = { title: 'Docs', description: 'The contract of streaming and failover, error codes, and the sandbox provider.' };

const PAGES = [
  { href: '/docs/streaming-failover', title: 'Streaming and failover: the contract', text: 'When another provider is asked and when never, what a client sees in every ending, the headers, and the test behind each promise.' },
  { href: '/docs/apis', title: 'APIs, clients and translation', text: 'Which APIs a client may speak, how to point each library here, what survives when a provider speaks another one, and how a loss is told.' },
  { href: '/docs/two-planes', title: 'Two planes: the edge', text: 'A lean front process before one or two control planes: where it sends a request, what it answers itself, how every call keeps one row.' },
  { href: '/trust', title: 'Trust', text: 'What is kept, for how long and who can read it; what a crash or a power failure may cost; what it does not protect against.' },
  { href: '/docs/errors', title: 'Error codes', text: `${ERROR_CODES.length} codes of the data plane, of streams and of the management API: what each means for the call, and what to do.` },
  { href: '/docs/sandbox', title: 'The sandbox provider', text: `A provider inside the product that fails on command. ${Object.keys(STEPS).length} steps that make a model name a script.` },
  { href: '/models', title: 'Models', text: 'Every model that can be named, with its context, abilities and the price of a million tokens today. Also as JSON.' },
  { href: '/honesty', title: 'Honesty', text: 'What is claimed in public, each claim with the probe that checked it and what it saw.' },
  { href: '/status', title: 'Status', text: 'What works at this moment, seen from this process.' },
  { href: '/openapi.json', title: 'OpenAPI', text: 'The management API, as a machine reads it.' },
];

export default function DocsPage() {
  return (
    <>
      <h1 className="text-xl font-semibold tracking-tight">Docs</h1>
      <ul className="mt-6 grid gap-x-8 gap-y-6 sm:grid-cols-2">
        {PAGES.map((page) => (
          <li key={page.href} className="border-t-2 border-line pt-3">
            {page.href.endsWith('.json') ? <a className="link font-medium" href={page.href}>{page.title}</a> : <Link className="link font-medium" href={page.href}>{page.title}</Link>}
            <p className="mt-1 text-sm text-muted">{page.text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
