import { describe, expect, test } from 'vitest';
import { type Input, isUncommitted, type Phase, type Rules, transition } from './machine';

const PHASES: Phase[] = ['connecting', 'preamble', 'holding', 'sealed', 'committed', 'closing', 'finished', 'truncated', 'failed', 'aborted'];
const INPUTS: Input[] = ['opened', 'refused', 'preamble', 'content', 'finish', 'whole', 'malformed', 'error', 'terminator', 'end', 'cut', 'silence', 'deadline', 'overflow', 'spill', 'client_left', 'drain'];

const FIRST: Rules = { complete: false, malformedBefore: false };
const COMPLETE: Rules = { complete: true, malformedBefore: false };

/** Written by hand, cell by cell: `next phase: effects`, or `!` for a pair that cannot happen. */
const EXPECTED: Record<Phase, Record<Input, string>> = {
  connecting: row({
    opened: 'preamble',
    refused: 'failed: hang_up fail',
    cut: 'failed: hang_up fail',
    silence: 'failed: hang_up fail',
    deadline: 'failed: hang_up fail',
    overflow: 'failed: hang_up fail',
    client_left: 'aborted: hang_up',
    drain: 'failed: hang_up fail',
  }),
  preamble: row({
    preamble: 'preamble: hold',
    content: 'committed: commit send',
    finish: 'sealed: hold',
    whole: 'finished: hang_up commit finish',
    malformed: 'failed: hang_up fail',
    error: 'failed: hang_up fail',
    terminator: 'failed: hang_up fail',
    end: 'failed: hang_up fail',
    cut: 'failed: hang_up fail',
    silence: 'failed: hang_up fail',
    deadline: 'failed: hang_up fail',
    overflow: 'failed: hang_up fail',
    client_left: 'aborted: hang_up',
    drain: 'failed: hang_up fail',
  }),
  holding: row({
    preamble: 'holding: hold',
    content: 'holding: hold',
    finish: 'sealed: hold',
    malformed: 'failed: hang_up fail',
    error: 'failed: hang_up fail',
    terminator: 'failed: hang_up fail',
    end: 'failed: hang_up fail',
    cut: 'failed: hang_up fail',
    silence: 'failed: hang_up fail',
    deadline: 'failed: hang_up fail',
    overflow: 'failed: hang_up fail',
    spill: 'committed: commit',
    client_left: 'aborted: hang_up',
    drain: 'failed: hang_up fail',
  }),
  sealed: row({
    preamble: 'sealed: hold',
    content: 'committed: commit send',
    finish: 'sealed: hold',
    malformed: 'failed: hang_up fail',
    error: 'failed: hang_up fail',
    terminator: 'finished: hang_up commit finish',
    end: 'finished: hang_up commit finish',
    cut: 'finished: hang_up commit finish',
    silence: 'finished: hang_up commit finish',
    deadline: 'finished: hang_up commit finish',
    overflow: 'failed: hang_up fail',
    spill: 'sealed',
    client_left: 'aborted: hang_up',
    drain: 'finished: hang_up commit finish',
  }),
  committed: row({
    preamble: 'committed: send',
    content: 'committed: send',
    finish: 'closing: stash',
    malformed: 'committed: drop',
    error: 'truncated: hang_up truncate',
    terminator: 'truncated: hang_up truncate',
    end: 'truncated: hang_up truncate',
    cut: 'truncated: hang_up truncate',
    silence: 'truncated: hang_up truncate',
    overflow: 'truncated: hang_up truncate',
    client_left: 'aborted: hang_up',
    drain: 'truncated: hang_up truncate',
  }),
  closing: row({
    preamble: 'closing: stash',
    content: 'committed: unstash send',
    finish: 'closing: stash',
    malformed: 'closing: drop',
    error: 'truncated: hang_up truncate',
    terminator: 'finished: hang_up finish',
    end: 'finished: hang_up finish',
    cut: 'finished: hang_up finish',
    silence: 'finished: hang_up finish',
    overflow: 'finished: hang_up finish',
    client_left: 'aborted: hang_up',
    drain: 'finished: hang_up finish',
  }),
  finished: row({}),
  truncated: row({}),
  failed: row({}),
  aborted: row({}),
};

/** Where commit policy `complete` differs. */
const UNDER_COMPLETE: [Phase, Input, string][] = [
  ['preamble', 'content', 'holding: hold'],
  ['sealed', 'content', 'holding: hold'],
];

function row(cells: Partial<Record<Input, string>>): Record<Input, string> {
  return Object.fromEntries(INPUTS.map((input) => [input, cells[input] ?? '!'])) as Record<Input, string>;
}

function cell(phase: Phase, input: Input, rules: Rules): string {
  try {
    const step = transition(phase, input, rules);
    return step.effects.length === 0 ? step.phase : `${step.phase}: ${step.effects.join(' ')}`;
  } catch {
    return '!';
  }
}

describe('the attempt machine', () => {
  for (const phase of PHASES) {
    for (const input of INPUTS) {
      test(`${phase} + ${input}`, () => {
        expect(cell(phase, input, FIRST)).toBe(EXPECTED[phase][input]);
        const differs = UNDER_COMPLETE.find(([p, i]) => p === phase && i === input);
        expect(cell(phase, input, COMPLETE)).toBe(differs?.[2] ?? EXPECTED[phase][input]);
      });
    }
  }

  test('a second malformed frame truncates', () => {
    for (const phase of ['committed', 'closing'] as const) {
      expect(cell(phase, 'malformed', { complete: false, malformedBefore: true })).toBe('truncated: hang_up truncate');
    }
  });

  test('an impossible pair names both in its error', () => {
    expect(() => transition('connecting', 'content', FIRST)).toThrow('content in connecting');
  });

  test('nothing is sent to the client by any step that leads from one uncommitted phase to another', () => {
    for (const phase of PHASES.filter(isUncommitted)) {
      for (const input of INPUTS) {
        for (const rules of [FIRST, COMPLETE]) {
          const found = cell(phase, input, rules);
          const next = found.split(':')[0] as Phase;
          if (found === '!' || !(isUncommitted(next) || next === 'failed' || next === 'aborted')) continue;
          expect(found).not.toMatch(/commit|send|unstash|finish\b|truncate/);
        }
      }
    }
  });

  test('no step leads from a committed phase back to one where failover is legal', () => {
    for (const phase of ['committed', 'closing'] as const) {
      for (const input of INPUTS) {
        const found = cell(phase, input, FIRST);
        if (found !== '!') expect(isUncommitted(found.split(':')[0] as Phase) || found.startsWith('failed')).toBe(false);
      }
    }
  });
});
