'use client';

import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { Button, cx, formatDuration, SelectField, TextField } from '@/app/_ui';
import { FailoverWords, type FailoverPolicy } from './failover-words';
import { defaultsAt, tierName, type DraftErrors, type TierDraft } from './route-draft';

export interface ConnectionChoice {
  name: string;
  provider: string;
  kind: 'http' | 'sandbox';
}

export type MoveControl = 'up' | 'down' | 'position' | 'remove';

export function TierCard({
  tier,
  index,
  count,
  connections,
  errors,
  policy,
  onEdit,
  onMove,
  onRemove,
}: {
  tier: TierDraft;
  index: number;
  count: number;
  connections: readonly ConnectionChoice[];
  errors: DraftErrors;
  policy: FailoverPolicy;
  onEdit: (change: Partial<TierDraft>) => void;
  onMove: (to: number, control: MoveControl) => void;
  onRemove: () => void;
}) {
  const sortable = useSortable({ id: tier.key });
  const called = `tier ${index + 1}, ${tierName(tier)}`;
  const { 'aria-pressed': pressed, ...handle } = sortable.attributes;
  return (
    <li
      ref={sortable.setNodeRef}
      data-tier={tier.key}
      style={{ transform: CSS.Translate.toString(sortable.transform), transition: sortable.transition }}
      className={cx('rounded-lg border bg-surface', sortable.isDragging ? 'relative z-10 border-accent shadow-lg' : 'border-line')}
    >
      <div className="flex items-center gap-2 border-b border-line px-2 py-1.5">
        <button
          type="button"
          ref={sortable.setActivatorNodeRef}
          {...handle}
          {...sortable.listeners}
          aria-pressed={pressed}
          aria-label={`Move ${called}`}
          className="grid size-8 shrink-0 cursor-grab touch-none place-items-center rounded-md text-muted hover:bg-hover hover:text-text active:cursor-grabbing"
        >
          <GripVertical aria-hidden size={16} />
        </button>
        <h3 className="min-w-0 flex-1 truncate text-sm font-medium">
          <span className="sr-only text-muted sm:not-sr-only">Tier </span>
          <span className="tabular-nums">{index + 1}</span>
        </h3>
        <PositionSelect called={called} index={index} count={count} onMove={onMove} />
        <MoveButton label={`Move ${called} up`} control="up" disabled={index === 0} onClick={() => onMove(index - 1, 'up')} />
        <MoveButton label={`Move ${called} down`} control="down" disabled={index === count - 1} onClick={() => onMove(index + 1, 'down')} />
        <Button variant="quiet" size="icon" data-move="remove" aria-label={`Remove ${called}`} onClick={onRemove}>
          <Trash2 aria-hidden size={16} />
        </Button>
      </div>
      <div className="grid gap-3 p-3 sm:grid-cols-2">
        <SelectField
          label="Connection"
          value={tier.connection}
          error={errors[`tiers.${index}.connection`]}
          onChange={(event) => onEdit({ connection: event.target.value })}
        >
          {connections.some((connection) => connection.name === tier.connection) ? null : (
            <option value={tier.connection}>{tier.connection === '' ? 'Choose a connection' : `${tier.connection} (gone)`}</option>
          )}
          {connections.map((connection) => (
            <option key={connection.name} value={connection.name}>
              {connection.provider === connection.name ? connection.name : `${connection.name} (${connection.provider})`}
            </option>
          ))}
        </SelectField>
        <ModelField tier={tier} connections={connections} error={errors[`tiers.${index}.model`]} onEdit={onEdit} />
      </div>
      <Clocks tier={tier} index={index} count={count} errors={errors} onEdit={onEdit} />
      <details className="border-t border-line px-3 py-2 text-sm">
        <summary className="rounded py-1 text-muted hover:text-text">What happens when this tier fails</summary>
        <FailoverWords policy={policy} next={index < count - 1 ? index + 2 : null} />
      </details>
    </li>
  );
}

function ModelField({ tier, connections, error, onEdit }: { tier: TierDraft; connections: readonly ConnectionChoice[]; error: string | undefined; onEdit: (change: Partial<TierDraft>) => void }) {
  const id = useId();
  const sandbox = connections.find((connection) => connection.name === tier.connection)?.kind === 'sandbox';
  return (
    <div className="min-w-0">
      <TextField
        label="Model"
        mono
        value={tier.model}
        error={error}
        placeholder={sandbox ? 'text:20' : 'gpt-4o-mini'}
        list={sandbox ? id : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => onEdit({ model: event.target.value })}
      />
      {sandbox ? (
        <datalist id={id}>
          {SANDBOX_SCRIPTS.map((script) => (
            <option key={script} value={script} />
          ))}
        </datalist>
      ) : null}
    </div>
  );
}

/** Scripts that show each ending; the sandbox's model names are small programs. */
const SANDBOX_SCRIPTS = ['echo', 'text:20', 'slow:500ms', 'status:429,retry-after:2', 'status:503', 'headers,stall', 'role,reset', 'text:2,reset', 'text:40,error:429', 'text:3,stall', 'no-finish', 'no-done'];

function Clocks({ tier, index, count, errors, onEdit }: { tier: TierDraft; index: number; count: number; errors: DraftErrors; onEdit: (change: Partial<TierDraft>) => void }) {
  const defaults = defaultsAt(index, count);
  const path = `tiers.${index}`;
  const clocks = [
    { member: 'firstContentMs', label: 'First content (ms)', ms: defaults.firstContentMs, error: errors[`${path}.first_content_timeout_ms`], hint: 'Streams: from asking to the first content.' },
    { member: 'idleMs', label: 'Silence after it (ms)', ms: defaults.idleMs, error: errors[`${path}.idle_timeout_ms`], hint: 'Streams: the longest gap after the first content.' },
    { member: 'responseMs', label: 'Whole response (ms)', ms: defaults.responseMs, error: errors[`${path}.response_timeout_ms`], hint: 'Answers that are not streamed.' },
  ] as const;
  const set = clocks.filter((clock) => tier[clock.member].trim() !== '').length;
  const wrong = clocks.some((clock) => clock.error !== undefined);
  return (
    <details className="border-t border-line px-3 py-2 text-sm" open={wrong || undefined}>
      <summary className="rounded py-1 text-muted hover:text-text">
        Time-outs: {set === 0 ? 'the defaults of this place' : `${set} set, the rest are defaults`}
      </summary>
      <div className="mt-2 grid items-end gap-3 sm:grid-cols-3">
        {clocks.map((clock) => (
          <TextField
            key={clock.member}
            label={clock.label}
            hint={clock.hint}
            inputMode="numeric"
            mono
            value={tier[clock.member]}
            error={clock.error}
            placeholder={`${clock.ms} (${formatDuration(clock.ms)})`}
            onChange={(event) => onEdit({ [clock.member]: event.target.value })}
          />
        ))}
      </div>
      <p className="mt-2 text-xs text-muted">
        {index < count - 1
          ? 'Another tier follows, so the default gives up on silence after 10 s.'
          : 'No tier follows, so the default waits 60 s.'}{' '}
        Where the model thinks before it answers, the defaults are 300 s for first content and 600 s for a whole response.
      </p>
    </details>
  );
}

function PositionSelect({ called, index, count, onMove }: { called: string; index: number; count: number; onMove: (to: number, control: MoveControl) => void }) {
  return (
    <select
      data-move="position"
      aria-label={`Position of ${called}`}
      value={index}
      onChange={(event) => onMove(Number(event.target.value), 'position')}
      className="min-h-8 rounded-md border border-line-strong bg-surface px-1.5 text-xs tabular-nums"
    >
      {Array.from({ length: count }, (_, at) => (
        <option key={at} value={at}>
          {at + 1} of {count}
        </option>
      ))}
    </select>
  );
}

/** At the end of the list the button stays focusable: a disabled one would throw the keyboard's place away. */
function MoveButton({ label, control, disabled, onClick }: { label: string; control: MoveControl; disabled: boolean; onClick: () => void }) {
  const Icon = control === 'up' ? ArrowUp : ArrowDown;
  return (
    <Button variant="quiet" size="icon" data-move={control} aria-label={label} aria-disabled={disabled || undefined} onClick={disabled ? undefined : onClick}>
      <Icon aria-hidden size={16} />
    </Button>
  );
}
