import type { ReactNode, SVGProps } from 'react';
import { cx } from './class-names';

/**
 * The states of a call and of an attempt, named as the ledger names them. One icon, one word and
 * one colour each, everywhere. `failed` is an attempt that died before commit: the word is
 * "dropped" and the colour calm, because the client saw nothing of it.
 */
export type StateName =
  | 'connecting'
  | 'preamble'
  | 'committed'
  | 'finished'
  | 'failed'
  | 'truncated'
  | 'aborted'
  | 'rejected'
  | 'skipped'
  | 'replayed'
  | 'lost';

interface StateLook {
  word: string;
  /** CSS colour, for SVG and charts. */
  color: string;
  /** The same as a text class. */
  textClass: string;
  /** One sentence for legends and titles. */
  meaning: string;
  /** Drawn in a 16 x 16 box with currentColor. */
  shape: ReactNode;
}

const ring = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.75 } as const;

export const STATES = {
  connecting: {
    word: 'connecting', color: 'var(--state-connecting)', textClass: 'text-state-connecting',
    meaning: 'The request was sent; no response header yet.',
    shape: <circle cx="8" cy="8" r="4.75" {...ring} />,
  },
  preamble: {
    word: 'held', color: 'var(--state-preamble)', textClass: 'text-state-preamble',
    meaning: 'The provider answers, but no content yet: held back, nothing has reached the client.',
    shape: <><circle cx="8" cy="8" r="4.75" {...ring} /><path d="M8 3.25a4.75 4.75 0 0 0 0 9.5z" fill="currentColor" /></>,
  },
  committed: {
    word: 'committed', color: 'var(--state-committed)', textClass: 'text-state-committed',
    meaning: 'The first content went to the client; no other provider will be asked.',
    shape: <rect x="6.5" y="1.5" width="3" height="13" rx="1" fill="currentColor" />,
  },
  finished: {
    word: 'finished', color: 'var(--state-finished)', textClass: 'text-state-finished',
    meaning: 'The whole answer reached the client.',
    shape: <circle cx="8" cy="8" r="5.5" fill="currentColor" />,
  },
  failed: {
    word: 'dropped', color: 'var(--state-failed)', textClass: 'text-state-failed',
    meaning: 'The attempt failed before commit; the client saw nothing of it.',
    shape: <rect x="3.25" y="3.25" width="9.5" height="9.5" rx="1" {...ring} />,
  },
  truncated: {
    word: 'truncated', color: 'var(--state-truncated)', textClass: 'text-state-truncated',
    meaning: 'The provider failed after content; the stream ended with an in-band error.',
    shape: <path d="M6.5 1.5h3v4.2l-3 1.6zM9.5 8.7v5.8h-3v-4.2z" fill="currentColor" />,
  },
  aborted: {
    word: 'client left', color: 'var(--state-aborted)', textClass: 'text-state-aborted',
    meaning: 'The client hung up before the last byte.',
    shape: <path d="M7 3H3v10h4M6.5 8H14m-3.2-3.2L14 8l-3.2 3.2" {...ring} strokeLinecap="round" strokeLinejoin="round" />,
  },
  rejected: {
    word: 'rejected', color: 'var(--state-rejected)', textClass: 'text-state-rejected',
    meaning: 'No provider committed; the client got one error and no stream.',
    shape: <><circle cx="8" cy="8" r="5.5" {...ring} /><path d="M5.6 5.6l4.8 4.8m0-4.8l-4.8 4.8" {...ring} strokeLinecap="round" /></>,
  },
  skipped: {
    word: 'skipped', color: 'var(--state-skipped)', textClass: 'text-state-skipped',
    meaning: 'The tier was not tried.',
    shape: <circle cx="8" cy="8" r="5" {...ring} strokeDasharray="2.6 2.63" />,
  },
  replayed: {
    word: 'replayed', color: 'var(--state-replayed)', textClass: 'text-state-replayed',
    meaning: 'A stored whole answer was served again; no provider was asked.',
    shape: <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3" {...ring} strokeLinecap="round" strokeLinejoin="round" />,
  },
  lost: {
    word: 'lost', color: 'var(--state-lost)', textClass: 'text-state-lost',
    meaning: 'The process died during the call; how it ended is not known.',
    shape: <><rect x="3" y="3" width="10" height="10" rx="1" {...ring} strokeDasharray="2.2 2" /><path d="M8 5.5v3M8 10.4v.6" {...ring} strokeLinecap="round" /></>,
  },
} as const satisfies Record<StateName, StateLook>;

/**
 * The icon alone. A nested `<svg>` is legal, so the same element works in HTML and inside a larger
 * drawing: there give it `x`, `y` and `size`. Decorative: the word must stand beside it, or pass `title`.
 */
export function StateIcon({ state, size = 14, title, className, ...rest }: { state: StateName; size?: number; title?: string } & Omit<SVGProps<SVGSVGElement>, 'width' | 'height' | 'viewBox'>) {
  const look = STATES[state];
  return (
    <svg {...rest} width={size} height={size} viewBox="0 0 16 16" color={look.color} className={cx('shrink-0', className)} {...(title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': true })}>
      {look.shape}
    </svg>
  );
}

/** Icon and word in the state's colour. */
export function StateChip({ state, detail, className }: { state: StateName; /** e.g. "429" */ detail?: ReactNode; className?: string }) {
  const look = STATES[state];
  return (
    <span title={look.meaning} className={cx('inline-flex items-center gap-1.5 text-sm whitespace-nowrap', look.textClass, className)}>
      <StateIcon state={state} />
      <span>{look.word}</span>
      {detail ? <span className="text-muted">{detail}</span> : null}
    </span>
  );
}
