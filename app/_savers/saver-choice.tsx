import { Chip, cx } from '@/app/_ui';
import type { SaverId } from '@/lib/savers/saver';
import { LOST, type SaverCard } from './saver-words';

/** Savers to choose from: the lossless ones first, the others apart and with what they cost. */
export function SaverChoice({ cards, chosen, onChange, error }: { cards: readonly SaverCard[]; chosen: readonly SaverId[]; onChange?: (chosen: SaverId[]) => void; error?: string | undefined }) {
  const groups = [
    { name: 'Lossless', tone: 'good', text: 'A reader misses nothing.', cards: cards.filter(({ lossless }) => lossless) },
    { name: 'Lossy', tone: 'warning', text: 'Something is gone. Off unless you choose it.', cards: cards.filter(({ lossless }) => !lossless) },
  ] as const;
  return (
    <div className="grid gap-4">
      {error ? <p role="alert" className="text-xs font-medium text-danger">{error}</p> : null}
      {groups.map((group) => (
        <div key={group.name} role="group" aria-label={`${group.name} savers`}>
          <p className="mb-2 flex flex-wrap items-center gap-2 text-xs text-muted"><Chip tone={group.tone}>{group.name.toLowerCase()}</Chip> {group.text}</p>
          <ul className="grid gap-2.5">
            {group.cards.map((card) => (
              <li key={card.id}>
                <SaverBox card={card} on={chosen.includes(card.id)} onChange={onChange === undefined ? undefined : (on) => onChange(on ? [...chosen, card.id] : chosen.filter((id) => id !== card.id))} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function SaverBox({ card, on, onChange }: { card: SaverCard; on: boolean; onChange: ((on: boolean) => void) | undefined }) {
  const hint = `saver-${card.id}-hint`;
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-2.5">
      <input
        id={`saver-${card.id}`} type="checkbox" name="savers" value={card.id} aria-describedby={hint} className="mt-0.5 size-4 accent-accent"
        {...(onChange === undefined ? { defaultChecked: on } : { checked: on, onChange: (event) => onChange(event.target.checked) })}
      />
      <label htmlFor={`saver-${card.id}`} className="text-sm">{card.label}</label>
      <p id={hint} className="col-start-2 text-xs text-muted">
        {card.promise} <span className={cx(!card.lossless && 'text-warning')}>{card.lossless ? '' : `Lost: ${LOST[card.id]} `}</span>Never touched: {lower(card.never)}
      </p>
    </div>
  );
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
