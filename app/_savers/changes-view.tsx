import { formatCount } from '@/app/_ui';
import type { SaverId } from '@/lib/savers/saver';
import type { TextChange } from '@/lib/waste';

/** Texts that savers changed, each as a difference; `leftOut` more are not shown. */
export function ChangesView({ changes, leftOut, none, label }: { changes: readonly TextChange[]; leftOut: number; none: string; label: (id: SaverId) => string }) {
  if (changes.length === 0 && leftOut === 0) return <p className="text-sm text-muted">{none}</p>;
  return (
    <div className="grid gap-3">
      {changes.map((change, at) => <Change key={at} change={change} title={`${placeWords(change)}: ${change.savers.map((id) => label(id)).join(', ')}`} />)}
      {leftOut > 0 ? <p className="text-xs text-muted">{formatCount(leftOut)} more changed {leftOut === 1 ? 'text is' : 'texts are'} not shown.</p> : null}
    </div>
  );
}

function placeWords({ message, role }: TextChange): string {
  if (message !== null) return `Message ${message} (${role})`;
  return role === 'system' ? 'System prompt' : 'The text';
}

const LOOK = {
  same: { sign: ' ', word: null, className: '' },
  gone: { sign: '−', word: 'before', className: 'bg-danger-soft' },
  new: { sign: '+', word: 'after', className: 'bg-good-soft' },
} as const;

function Change({ change, title }: { change: TextChange; title: string }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken">
      <figcaption className="border-b border-line px-3 py-1.5 text-xs text-muted">{title}</figcaption>
      <div role="region" aria-label={`${title}, difference`} tabIndex={0} className="relative max-h-96 overflow-auto py-2 font-mono text-xs leading-relaxed -outline-offset-2">
        {change.parts.map((part, at) => part.kind === 'left' ? (
          <p key={at} className="px-3 text-muted">… {formatCount(part.count)} {part.count === 1 ? 'line' : 'lines'} not shown</p>
        ) : (
          <div key={at} className={LOOK[part.kind].className}>
            {LOOK[part.kind].word === null ? null : <span className="sr-only">{LOOK[part.kind].word}:</span>}
            {part.lines.map((line, row) => (
              <div key={row} className="grid grid-cols-[1.5rem_1fr] px-1.5">
                <span aria-hidden className="text-center text-muted select-none">{LOOK[part.kind].sign}</span>
                <span className="break-all whitespace-pre-wrap">{visible(line) || ' '}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
    </figure>
  );
}

/** Control characters have no shape: they are written as terminals do, ^[ for escape. Spaces at a line's end are dots. */
function visible(line: string): string {
  return line.replaceAll(/[\u0000-\u0008\u000b-\u001f]/g, (control) => `^${String.fromCharCode(64 + control.charCodeAt(0))}`).replace(/ +$/, (spaces) => '·'.repeat(spaces.length));
}
