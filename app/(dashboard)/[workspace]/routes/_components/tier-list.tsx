'use client';

import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useSensor, useSensors, type Announcements, type UniqueIdentifier } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { useEffect, useId, useRef, useState } from 'react';
import { moveTier, tierName, type DraftErrors, type TierDraft } from './route-draft';
import { TierCard, type ConnectionChoice, type MoveControl } from './tier-card';
import type { FailoverPolicy } from './failover-words';

/**
 * The ordered list. A tier moves in three ways that do the same: dragged by its handle (pointer or
 * keyboard), by the buttons, by the position select; every place can be reached with each of them.
 */
export function TierList({
  tiers,
  connections,
  errors,
  policy,
  onChange,
}: {
  tiers: TierDraft[];
  connections: readonly ConnectionChoice[];
  errors: DraftErrors;
  policy: FailoverPolicy;
  onChange: (tiers: TierDraft[]) => void;
}) {
  const dndId = useId();
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const focusNext = useRef<{ key: string; control: MoveControl } | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    // No smooth scrolling: a key pressed while the page still moves would be reckoned from where the tier no longer is.
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates, scrollBehavior: 'auto' }),
  );

  // A moved card is another place in the document: the control that moved it keeps the focus.
  useEffect(() => {
    const wanted = focusNext.current;
    if (wanted === null) return;
    focusNext.current = null;
    list.current?.querySelector<HTMLElement>(`[data-tier="${wanted.key}"] [data-move="${wanted.control}"]`)?.focus();
  }, [tiers]);

  const place = (key: UniqueIdentifier) => tiers.findIndex((tier) => tier.key === key);

  function move(from: number, to: number, control: MoveControl) {
    const tier = tiers[from];
    if (tier === undefined || to < 0 || to >= tiers.length || from === to) return;
    focusNext.current = { key: tier.key, control };
    setSaid(`${tierName(tier)} moved to position ${to + 1} of ${tiers.length}.`);
    onChange(moveTier(tiers, from, to));
  }

  function remove(index: number) {
    const tier = tiers[index]!;
    const neighbour = tiers[index + 1] ?? tiers[index - 1];
    focusNext.current = neighbour === undefined ? null : { key: neighbour.key, control: 'remove' };
    setSaid(`${tierName(tier)} removed. ${tiers.length - 1} ${tiers.length === 2 ? 'tier' : 'tiers'} left.`);
    onChange(tiers.filter((_, at) => at !== index));
  }

  return (
    <DndContext
      id={dndId}
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements: announcementsFor(tiers), screenReaderInstructions: { draggable: INSTRUCTIONS } }}
      onDragEnd={({ active, over }) => {
        if (over !== null && over.id !== active.id) onChange(moveTier(tiers, place(active.id), place(over.id)));
      }}
    >
      <SortableContext items={tiers.map((tier) => tier.key)} strategy={verticalListSortingStrategy}>
        <ol ref={list} aria-label="Tiers, in the order in which they are tried" className="flex flex-col gap-2">
          {tiers.map((tier, index) => (
            <TierCard
              key={tier.key}
              tier={tier}
              index={index}
              count={tiers.length}
              connections={connections}
              errors={errors}
              policy={policy}
              onEdit={(change) => onChange(tiers.map((other) => (other.key === tier.key ? { ...other, ...change } : other)))}
              onMove={(to, control) => move(index, to, control)}
              onRemove={() => remove(index)}
            />
          ))}
        </ol>
      </SortableContext>
      <p role="status" className="sr-only">{said}</p>
    </DndContext>
  );
}

const INSTRUCTIONS =
  'Press space or enter to pick the tier up, the up and down arrow keys to move it, space or enter to put it down, escape to leave it where it was. The Move up and Move down buttons and the position select do the same.';

/** Positions instead of ids, which is what a person needs to hear. */
function announcementsFor(tiers: readonly TierDraft[]): Announcements {
  const position = (key: UniqueIdentifier) => `position ${tiers.findIndex((tier) => tier.key === key) + 1} of ${tiers.length}`;
  const name = (key: UniqueIdentifier) => {
    const tier = tiers.find((candidate) => candidate.key === key);
    return tier === undefined ? 'The tier' : tierName(tier);
  };
  return {
    onDragStart: ({ active }) => `Picked up ${name(active.id)}, ${position(active.id)}.`,
    onDragOver: ({ active, over }) => (over === null ? `${name(active.id)} is outside the list.` : `${name(active.id)} is over ${position(over.id)}.`),
    onDragEnd: ({ active, over }) => (over === null ? `${name(active.id)} put back.` : `${name(active.id)} put down at ${position(over.id)}.`),
    onDragCancel: ({ active }) => `Moving cancelled. ${name(active.id)} stays at ${position(active.id)}.`,
  };
}
