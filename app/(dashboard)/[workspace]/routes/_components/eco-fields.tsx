'use client';

import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Button, Notice, SelectField, TextField } from '@/app/_ui';
import { MAX_CANDIDATES } from '@/lib/management/schemas';
import type { CandidateDraft, DraftErrors } from './route-draft';
import { modelWords } from './tier-words';

export interface ConnectionChoice {
  name: string;
  provider: string;
  kind: 'http' | 'sandbox';
}

/** The candidates of an eco tier. Their order decides only between equals. */
export function EcoFields({ candidates, path, connections, errors, onEdit }: {
  candidates: readonly CandidateDraft[];
  path: string;
  connections: readonly ConnectionChoice[];
  errors: DraftErrors;
  onEdit: (candidates: CandidateDraft[]) => void;
}) {
  const made = useRef(0);
  const list = useRef<HTMLOListElement>(null);
  const added = useRef(false);
  const change = (key: string, part: Partial<CandidateDraft>) => onEdit(candidates.map((candidate) => (candidate.key === key ? { ...candidate, ...part } : candidate)));

  // A new candidate is empty: whoever asked for it goes on there.
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    list.current?.querySelector<HTMLElement>(':scope > li:last-child input')?.focus();
  }, [candidates.length]);

  function add() {
    if (candidates.length >= MAX_CANDIDATES) return;
    added.current = true;
    onEdit([...candidates, { key: `candidate-${path}-${candidates.length}-${made.current++}`, connection: candidates.at(-1)?.connection ?? connections[0]?.name ?? '', model: '' }]);
  }

  return (
    <div className="mt-3">
      <p className="text-xs text-muted">
        For each request the cheapest healthy candidate that can serve it is asked, by the price of the request&rsquo;s own tokens; equals in this order. If it fails, the next cheapest is asked, each once, before the next tier. One without a known price is left out.
      </p>
      {errors[path] === undefined ? null : <Notice tone="danger" className="mt-2">{errors[path]}</Notice>}
      <ol ref={list} aria-label="Candidates" className="mt-2 grid gap-3">
        {candidates.map((candidate, at) => (
          <li key={candidate.key} className="grid grid-cols-[1fr_auto] items-end gap-2 sm:grid-cols-[1fr_1fr_auto]">
            <div className="col-span-2 min-w-0 sm:col-span-1">
              <ConnectionField
                label={<Numbered word="Connection" at={at} />} value={candidate.connection} connections={connections}
                error={errors[`${path}.${at}.connection`]} onEdit={(connection) => change(candidate.key, { connection })}
              />
            </div>
            <ModelField
              label={<Numbered word="Model" at={at} />} value={candidate.model} connection={candidate.connection} connections={connections}
              error={errors[`${path}.${at}.model`] ?? errors[`${path}.${at}`]} onEdit={(model) => change(candidate.key, { model })}
            />
            <Button variant="quiet" size="icon" aria-label={`Remove candidate ${at + 1}, ${modelWords(candidate)}`} onClick={() => onEdit(candidates.filter(({ key }) => key !== candidate.key))}>
              <Trash2 aria-hidden size={16} />
            </Button>
          </li>
        ))}
      </ol>
      <Button size="sm" className="mt-3" onClick={add} aria-disabled={candidates.length >= MAX_CANDIDATES || undefined}>
        <Plus aria-hidden size={14} />
        Add candidate
      </Button>
    </div>
  );
}

const Numbered = ({ word, at }: { word: string; at: number }) => <>{word} <span className="font-normal text-muted">of candidate {at + 1}</span></>;

export function ConnectionField({ label, value, connections, error, onEdit }: { label: ReactNode; value: string; connections: readonly ConnectionChoice[]; error: string | undefined; onEdit: (connection: string) => void }) {
  return (
    <SelectField label={label} value={value} error={error} onChange={(event) => onEdit(event.target.value)}>
      {connections.some(({ name }) => name === value) ? null : <option value={value}>{value === '' ? 'Choose a connection' : `${value} (gone)`}</option>}
      {connections.map(({ name, provider }) => (
        <option key={name} value={name}>{provider === name ? name : `${name} (${provider})`}</option>
      ))}
    </SelectField>
  );
}

export function ModelField({ label, value, connection, connections, error, onEdit }: { label: ReactNode; value: string; connection: string; connections: readonly ConnectionChoice[]; error: string | undefined; onEdit: (model: string) => void }) {
  const id = useId();
  const sandbox = connections.find(({ name }) => name === connection)?.kind === 'sandbox';
  return (
    <div className="min-w-0">
      <TextField
        label={label} mono value={value} error={error} placeholder={sandbox ? 'text:20' : 'gpt-4o-mini'} list={sandbox ? id : undefined}
        autoComplete="off" autoCapitalize="off" spellCheck={false} onChange={(event) => onEdit(event.target.value)}
      />
      {sandbox ? <datalist id={id}>{SANDBOX_SCRIPTS.map((script) => <option key={script} value={script} />)}</datalist> : null}
    </div>
  );
}

/** Scripts that show each ending; the sandbox's model names are small programs. */
const SANDBOX_SCRIPTS = ['echo', 'text:20', 'slow:500ms', 'status:429,retry-after:2', 'status:503', 'headers,stall', 'role,reset', 'text:2,reset', 'text:40,error:429', 'text:3,stall', 'no-finish', 'no-done'];
