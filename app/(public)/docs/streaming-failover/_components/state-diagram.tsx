import { StateIcon, STATES, type StateName } from '@/app/_ui';

interface Node {
  state: StateName;
  x: number;
  y: number;
}

const WIDTH = 330;
const HEIGHT = 430;
const COMMIT_Y = 216;

const NODES: Node[] = [
  { state: 'connecting', x: 70, y: 36 },
  { state: 'preamble', x: 70, y: 130 },
  { state: 'failed', x: 236, y: 83 },
  { state: 'rejected', x: 236, y: 172 },
  { state: 'committed', x: 70, y: 262 },
  { state: 'finished', x: 70, y: 350 },
  { state: 'truncated', x: 236, y: 306 },
  { state: 'aborted', x: 70, y: 406 },
];

const SUMMARY =
  'From connecting, a 2xx answer leads to held, and its first content across the commit line to committed, which ends finished or truncated. Above the line a failure leads to dropped, and from there to the next tier or, when none is left, to rejected. The client may leave in any state.';

/** The states of an attempt, in the same icons, words and colours as everywhere. One column, so that it reads at 320 px. */
export function StateDiagram() {
  return (
    <figure className="w-full max-w-md rounded-lg border border-line bg-surface p-3">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={SUMMARY} className="h-auto w-full text-muted" fontSize="11.5" fill="currentColor">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
            <path d="M1 1 7 4 1 7" fill="none" stroke="currentColor" strokeWidth="1.25" strokeLinecap="round" strokeLinejoin="round" />
          </marker>
        </defs>
        <CommitLine />
        <Arrow d="M70 50V114" /><Label x={78} y={85} text="2xx" />
        <Arrow d="M70 144V246" /><Label x={78} y={192} text="first content" />
        <Arrow d="M158 44C186 48 204 58 220 70" /><Label x={162} y={37} text="refused, reset, too slow" />
        <Arrow d="M118 126C160 122 192 110 220 95" /><Label x={130} y={144} text="cut, silent, error" />
        <Arrow d="M304 83H320V18H70V24" /><Label x={195} y={13} text="next tier, in order" anchor="middle" />
        <Arrow d="M236 96V157" /><Label x={244} y={134} text="no tier left" />
        <Arrow d="M70 276V336" /><Label x={78} y={322} text="finish_reason" />
        <Arrow d="M156 268C184 272 204 284 220 298" /><Label x={172} y={264} text="upstream fails" />
        <g stroke="var(--state-aborted)" strokeDasharray="3 3" fill="none"><path d="M58 36H24V406H56M58 130H24M58 262H24" /></g>
        {NODES.map((node) => <StateNode key={node.state} {...node} />)}
        <Label x={154} y={410} text="in any state" />
      </svg>
      <figcaption className="mt-2 text-xs text-muted">Above the line nothing has reached the client, and another tier may be asked. Below it, never.</figcaption>
    </figure>
  );
}

function StateNode({ state, x, y }: Node) {
  return (
    <g>
      <rect x={x - 11} y={y - 12} width={STATES[state].word.length * 7 + 32} height="24" rx="4" fill="var(--surface)" />
      <StateIcon state={state} x={x - 8} y={y - 8} size={16} />
      <text x={x + 13} y={y + 4.5} fontSize="13" fontWeight="600" fill={STATES[state].color}>{STATES[state].word}</text>
    </g>
  );
}

function CommitLine() {
  return (
    <g>
      <line x1="8" x2={WIDTH - 8} y1={COMMIT_Y} y2={COMMIT_Y} stroke="var(--state-committed)" strokeWidth="2" />
      <text x={WIDTH - 8} y={COMMIT_Y + 15} textAnchor="end" fill="var(--state-committed)">the client’s first byte</text>
    </g>
  );
}

const Arrow = ({ d }: { d: string }) => <path d={d} fill="none" stroke="currentColor" strokeWidth="1.25" markerEnd="url(#arrow)" />;

const Label = ({ x, y, text, anchor }: { x: number; y: number; text: string; anchor?: 'middle' }) => <text x={x} y={y} textAnchor={anchor}>{text}</text>;
