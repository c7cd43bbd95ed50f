'use client';

import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { Button, cx, formatDuration, TextField } from '@/app/_ui';
import { ConnectionField, EcoFields, ModelField, type ConnectionChoice } from './eco-fields';
import { FailoverWords, type FailoverPolicy } from './failover-words';
import { defaultsAt, tierName, type DraftErrors, type TierDraft } from './route-draft';

export type { ConnectionChoice };

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
      <div className="p-3">
        <KindSelect called={called} tier={tier} onEdit={onEdit} />
        {tier.eco === null ? (
          <div className="mt-3 grid gap-3 sm:grid-cols-2">
            <ConnectionField label="Connection" value={tier.connection} connections={connections} error={errors[`tiers.${index}.connection`]} onEdit={(connection) => onEdit({ connection })} />
            <ModelField label="Model" value={tier.model} connection={tier.connection} connections={connections} error={errors[`tiers.${index}.model`]} onEdit={(model) => onEdit({ model })} />
          </div>
        ) : (
          <EcoFields candidates={tier.eco} path={`tiers.${index}.eco`} connections={connections} errors={errors} onEdit={(eco) => onEdit({ eco })} />
        )}
      </div>
      <Clocks tier={tier} index={index} count={count} errors={errors} onEdit={onEdit} />
      <details className="border-t border-line px-3 py-2 text-sm">
        <summary className="rounded py-1 text-muted hover:text-text">What happens when this tier fails</summary>
        <FailoverWords policy={policy} next={index < count - 1 ? index + 2 : null} />
      </details>
    </li>
  );
}

/** What was typed for the one is kept for the other. */
function KindSelect({ called, tier, onEdit }: { called: string; tier: TierDraft; onEdit: (change: Partial<TierDraft>) => void }) {
  return (
    <select
      aria-label={`What ${called} asks`}
      value={tier.eco === null ? 'one' : 'eco'}
      onChange={(event) => {
        if (event.target.value === 'eco') return onEdit({ eco: [{ key: `${tier.key}-0`, connection: tier.connection, model: tier.model }] });
        const [first] = tier.eco ?? [];
        onEdit({ eco: null, ...(first === undefined ? {} : { connection: first.connection, model: first.model }) });
      }}
      className="min-h-8 rounded-md border border-line-strong bg-surface px-2 text-xs"
    >
      <option value="one">Asks one model</option>
      <option value="eco">Asks the cheapest of several (eco)</option>
    </select>
  );
}

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
