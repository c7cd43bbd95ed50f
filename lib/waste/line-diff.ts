/** A run of lines that is in both texts, in the old one only, or in the new one only. */
export interface DiffRun {
  kind: 'same' | 'gone' | 'new';
  lines: string[];
}

/** Lines that may differ before the search is given up: its cost grows with their square. */
const MOST_DIFFERENT = 400;

/**
 * Two texts line by line. What they begin and end with is matched first; between them the shortest script of lines
 * taken out and put in (Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1, 1986), or all of
 * the old and all of the new where that would take long.
 */
export function diffLines(before: string, after: string): DiffRun[] {
  const old = before.split('\n');
  const made = after.split('\n');
  let start = 0;
  while (start < old.length && start < made.length && old[start] === made[start]) start++;
  let end = 0;
  while (end < old.length - start && end < made.length - start && old[old.length - 1 - end] === made[made.length - 1 - end]) end++;
  const runs: DiffRun[] = [];
  append(runs, 'same', old.slice(0, start));
  for (const { kind, lines } of script(old.slice(start, old.length - end), made.slice(start, made.length - end))) append(runs, kind, lines);
  append(runs, 'same', old.slice(old.length - end));
  return runs;
}

function append(runs: DiffRun[], kind: DiffRun['kind'], lines: readonly string[]): void {
  if (lines.length === 0) return;
  const last = runs.at(-1);
  if (last?.kind === kind) last.lines.push(...lines);
  else runs.push({ kind, lines: [...lines] });
}

function script(old: string[], made: string[]): DiffRun[] {
  const trace = furthest(old, made);
  if (trace === null) return [{ kind: 'gone', lines: old }, { kind: 'new', lines: made }];
  const steps: { kind: DiffRun['kind']; line: string }[] = [];
  let x = old.length;
  let y = made.length;
  for (let d = trace.length - 1; d >= 0; d--) {
    const reached = trace[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && at(reached, k - 1) < at(reached, k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : at(reached, fromK);
    const fromY = d === 0 ? 0 : fromX - fromK;
    while (x > fromX && y > fromY && old[x - 1] === made[y - 1]) {
      steps.push({ kind: 'same', line: old[--x]! });
      y--;
    }
    if (d === 0) break;
    if (down) steps.push({ kind: 'new', line: made[--y]! });
    else steps.push({ kind: 'gone', line: old[--x]! });
  }
  return steps.reverse().map(({ kind, line }) => ({ kind, lines: [line] }));
}

/** For each number of differences, how far each diagonal had come before it; null where there are too many. */
function furthest(old: string[], made: string[]): Int32Array[] | null {
  const most = Math.min(old.length + made.length, MOST_DIFFERENT);
  let reached = new Int32Array(2 * MOST_DIFFERENT + 3);
  const trace: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    trace.push(reached.slice());
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && at(reached, k - 1) < at(reached, k + 1)) ? at(reached, k + 1) : at(reached, k - 1) + 1;
      while (x < old.length && x - k < made.length && old[x] === made[x - k]) x++;
      reached[k + MIDDLE] = x;
      if (x >= old.length && x - k >= made.length) return trace;
    }
  }
  return null;
}

const MIDDLE = MOST_DIFFERENT + 1;
const at = (reached: Int32Array, k: number): number => reached[k + MIDDLE]!;
