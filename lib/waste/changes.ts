import { type PipelineResult, type RewrittenText, rewrittenTexts, type SaverId } from '../savers';
import type { TextSlot } from '../wire';
import { diffLines, type DiffRun } from './line-diff';

/** One text that savers changed, as people read it: cut to what fits a page. */
export interface TextChange {
  role: TextSlot['role'];
  /** Position of its message in the request, from 1; null where it stands in none. */
  message: number | null;
  savers: SaverId[];
  parts: ChangePart[];
}

/** `left`: lines that are not shown; `count` of them. */
export type ChangePart = { kind: DiffRun['kind']; lines: string[] } | { kind: 'left'; count: number };

const MOST_TEXTS = 12;
/** Of one run of lines that went or came. */
const MOST_LINES = 24;
const MOST_CHARACTERS = 400;
/**
 * Rows of a run that went: what took its place stands below it, and has to be in sight. A line takes one for each
 * ROW characters, at least one.
 */
const MOST_GONE_ROWS = 8;
const ROW = 100;
/** Unchanged lines that are shown around a change. */
const CONTEXT = 2;
const MOST_PARTS = 60;

export function changesOf(slots: readonly TextSlot[], result: PipelineResult): { changes: TextChange[]; changesLeftOut: number } {
  return shownChanges(rewrittenTexts(slots, result));
}

/** The first of them, each as a difference. */
export function shownChanges(texts: readonly RewrittenText[]): { changes: TextChange[]; changesLeftOut: number } {
  const changes = texts.slice(0, MOST_TEXTS).map(({ role, message, savers, before, after }): TextChange => ({ role, message, savers, parts: cut(diffLines(before, after)) }));
  return { changes, changesLeftOut: texts.length - changes.length };
}

function cut(runs: readonly DiffRun[]): ChangePart[] {
  const parts = runs.flatMap((run, at) => partsOf(run, at === 0, at === runs.length - 1));
  if (parts.length <= MOST_PARTS) return parts;
  const rest = parts.slice(MOST_PARTS);
  return [...parts.slice(0, MOST_PARTS), { kind: 'left', count: rest.reduce((total, part) => total + (part.kind === 'left' ? part.count : part.lines.length), 0) }];
}

function partsOf({ kind, lines }: DiffRun, isFirst: boolean, isLast: boolean): ChangePart[] {
  const head = kind === 'gone' ? gonePart(lines) : kind === 'new' ? MOST_LINES : isFirst ? 0 : CONTEXT;
  const tail = kind !== 'same' || isLast ? 0 : CONTEXT;
  if (lines.length <= head + tail + (kind === 'gone' ? 0 : 1)) return [{ kind, lines: lines.map(shortened) }];
  const parts: ChangePart[] = [
    { kind, lines: lines.slice(0, head).map(shortened) },
    { kind: 'left', count: lines.length - head - tail },
    { kind, lines: lines.slice(lines.length - tail).map(shortened) },
  ];
  return parts.filter((part) => part.kind === 'left' || part.lines.length > 0);
}

/** How many lines of a run that went are shown: the first in any case. */
function gonePart(lines: readonly string[]): number {
  let rows = 0;
  const past = lines.findIndex((line) => (rows += Math.max(1, Math.ceil(Math.min(line.length, MOST_CHARACTERS) / ROW))) > MOST_GONE_ROWS);
  return past === -1 ? lines.length : Math.max(1, past);
}

const shortened = (line: string): string => (line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS)}… (${(line.length - MOST_CHARACTERS).toLocaleString('en-US')} more characters)`);
