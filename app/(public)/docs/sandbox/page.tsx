import type { Metadata } from 'next';
import Link from 'next/link';
import { CodeBlock, Mono, Table, TBody, Td, Th, THead, TRow } from '@/app/_ui';
import { LIMITS, STEPS } from '@/lib/providers/sandbox';
import { DocHeader, DocHeading, Prose } from '../_components/doc';

export const metadata: Metadata = { title: 'The sandbox provider', description: 'A provider inside the product that speaks the OpenAI wire and fails on command.' };

const KINDS = { content: 'says something', frame: 'sends a frame', pause: 'waits', option: 'changes the answer', ending: 'ends it', refinement: 'adds to the step before' } as const;

const EXAMPLES = [
  { script: 'text:20', does: 'Twenty numbered tokens, usage, [DONE].' },
  { script: 'slow:500ms', does: 'Five tokens, half a second apart.' },
  { script: 'status:429,retry-after:2', does: 'Rate limited, asking for two seconds.' },
  { script: 'role,reset', does: 'A role frame, then a reset: preamble, so the next tier is asked.' },
  { script: 'text:2,reset', does: 'Two tokens, then a reset: truncated.' },
  { script: 'text:40,error:429', does: 'Forty tokens, then an error object in the stream.' },
  { script: 'headers,stall', does: 'Headers, then silence.' },
  { script: 'text:3,finish,error:500', does: 'A finish_reason, and an error after it.' },
];

export default function SandboxPage() {
  return (
    <>
      <DocHeader title="The sandbox provider" lead="A provider inside the product that speaks the OpenAI wire over a real socket and fails on command. It is not a language model, and every one of its answers says so." />
      <Prose>
        <p>Each new workspace has a connection of this kind. The model name of a tier is a script: steps separated by commas, done from left to right. Name it in a tier of a route, or call it directly as <code>sandbox/text:20</code> with a key that allows direct models.</p>
        <p>Its tokens are numbered, so that a gap or a splice can be seen. Prompt tokens are the characters of the messages divided by four; completion tokens are the tokens that were sent. Its price is zero.</p>
        <p>An answer has at most {LIMITS.tokens.toLocaleString('en')} tokens and lives at most {LIMITS.durationMs / 1000} s; a workspace may have 16 open. A name that is no script is refused with 400, and the message names the bad step.</p>
      </Prose>
      <DocHeading id="examples">Examples</DocHeading>
      <Table caption="Example scripts">
        <THead><Th>Script</Th><Th>What happens</Th></THead>
        <TBody>{EXAMPLES.map((example) => <TRow key={example.script}><Td className="whitespace-nowrap"><Mono>{example.script}</Mono></Td><Td className="min-w-48">{example.does}</Td></TRow>)}</TBody>
      </Table>
      <DocHeading id="steps">Steps</DocHeading>
      <Table caption="Steps of a sandbox script">
        <THead><Th>Step</Th><Th>What it does</Th><Th>Kind</Th></THead>
        <TBody>
          {Object.entries(STEPS).map(([name, step]) => (
            <TRow key={name} id={name}><Td className="whitespace-nowrap"><Mono>{step.form}</Mono></Td><Td className="min-w-56">{step.does}</Td><Td className="whitespace-nowrap text-muted">{KINDS[step.kind]}</Td></TRow>
          ))}
        </TBody>
      </Table>
      <DocHeading id="rules">Rules</DocHeading>
      <Prose>
        <ul>
          <li>A script that neither says anything nor ends the answer says five tokens: <code>no-done</code> alone is an ordinary answer without <code>[DONE]</code>.</li>
          <li>The role frame goes just before the first content unless <code>role</code> stands earlier; the headers go with the first frame unless <code>headers</code> does.</li>
          <li>Without streaming, the same script gives one JSON body; <code>reset</code>, <code>stall</code> and <code>close</code> after content then come half way through it.</li>
          <li>Nothing can follow a step that ends the answer; options may stand anywhere.</li>
        </ul>
        <p>What the gateway makes of each of these is in <Link href="/docs/streaming-failover" className="link">the contract</Link>.</p>
      </Prose>
      <div className="mt-6 max-w-3xl"><CodeBlock title="A route to try" text={'tier 1  sandbox / headers,role,reset\ntier 2  sandbox / status:503\ntier 3  sandbox / text:20'} /></div>
    </>
  );
}
