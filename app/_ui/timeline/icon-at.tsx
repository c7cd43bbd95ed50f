import { StateIcon, type StateName } from '../state';

/** A state's icon inside a drawing, centred on `x` (a percentage), shifted by `dx`, on a patch of ground so that lines do not run through it. */
export function IconAt({ state, x, y, dx = 0, size = 14, ground = 'var(--surface)' }: { state: StateName; x: string; y: number; dx?: number; size?: number; ground?: string }) {
  return (
    <svg x={x} y={y} width={1} height={1} overflow="visible" aria-hidden="true">
      <circle cx={dx} cy={0} r={size / 2} fill={ground} />
      <StateIcon state={state} x={dx - size / 2} y={-size / 2} size={size} />
    </svg>
  );
}
