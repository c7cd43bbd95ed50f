import { KINDS, type Fault, type Mode, type Moment } from './kinds';

export type Position = 'first' | 'middle' | 'last';

/** One square of the matrix: this fault, at this moment, in this mode, on this tier of three. */
export interface Cell {
  id: string;
  name: string;
  mode: Mode;
  moment: Moment;
  position: Position;
  fault: Fault;
}

export const POSITIONS: Position[] = ['first', 'middle', 'last'];
const MODES: Mode[] = ['stream', 'json'];
const MOMENTS: Moment[] = ['instead', 'preamble', 'content'];

/** Every cell there is. */
export function allCells(): Cell[] {
  const cells: Cell[] = [];
  for (const [kindIndex, kind] of KINDS.entries()) {
    for (const mode of MODES) {
      for (const moment of MOMENTS) {
        const fault = kind.faults[mode][moment];
        if (fault === undefined) continue;
        for (const position of POSITIONS) {
          cells.push({ id: `c${kindIndex}-${mode}-${moment}-${position}`, name: `${kind.name}, ${moment}, ${mode}, ${position} tier`, mode, moment, position, fault });
        }
      }
    }
  }
  return cells;
}

/** The three tiers of a cell by model name: the faulty one, tiers before it that are broken, tiers after it that work. */
export function tiersOf({ id, position }: Cell): { model: string; role: 'faulty' | 'broken' | 'good' }[] {
  const at = POSITIONS.indexOf(position);
  return POSITIONS.map((_, index) => {
    const role = index < at ? 'broken' : index === at ? 'faulty' : 'good';
    return { model: `${id}-${index + 1}-${role}`, role };
  });
}
