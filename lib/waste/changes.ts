import type { PipelineResult, SaverId } from '../savers';
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
/** Unchanged lines that are shown around a change. */
const CONTEXT = 2;
const MOST_PARTS = 60;

export function changesOf(slots: readonly TextSlot[], { texts, steps }: PipelineResult): { changes: TextChange[]; changesLeftOut: number } {
  const changed = [...texts].sort(([one], [other]) => one - other);
  const changes = changed.slice(0, MOST_TEXTS).map(([at, after]): TextChange => {
    const { role, path, text } = slots[at]!;
    return { role, message: typeof path[1] === 'number' ? path[1] + 1 : null, savers: saversBetween(text, after, steps), parts: cut(diffLines(text, after)) };
  });
  return { changes, changesLeftOut: changed.length - changes.length };
}

/** The savers that led from one text to the other, found by following what each made of it. */
function saversBetween(before: string, after: string, steps: PipelineResult['steps']): SaverId[] {
  const found: SaverId[] = [];
  let text = before;
  for (const step of steps) {
    if (step.before !== text || found.at(-1) === step.saver) continue;
    found.push(step.saver);
    text = step.after;
    if (text === after) break;
  }
  return found;
}

function cut(runs: readonly DiffRun[]): ChangePart[] {
  const parts = runs.flatMap((run, at) => partsOf(run, at === 0, at === runs.length - 1));
  if (parts.length <= MOST_PARTS) return parts;
  const rest = parts.slice(MOST_PARTS);
  return [...parts.slice(0, MOST_PARTS), { kind: 'left', count: rest.reduce((total, part) => total + (part.kind === 'left' ? part.count : part.lines.length), 0) }];
}

function partsOf({ kind, lines }: DiffRun, isFirst: boolean, isLast: boolean): ChangePart[] {
  const head = kind !== 'same' ? MOST_LINES : isFirst ? 0 : CONTEXT;
  const tail = kind !== 'same' || isLast ? 0 : CONTEXT;
  if (lines.length <= head + tail + 1) return [{ kind, lines: lines.map(shortened) }];
  const parts: ChangePart[] = [
    { kind, lines: lines.slice(0, head).map(shortened) },
    { kind: 'left', count: lines.length - head - tail },
    { kind, lines: lines.slice(lines.length - tail).map(shortened) },
  ];
  return parts.filter((part) => part.kind === 'left' || part.lines.length > 0);
}

const shortened = (line: string): string => (line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS)}… (${(line.length - MOST_CHARACTERS).toLocaleString('en-US')} more characters)`);
