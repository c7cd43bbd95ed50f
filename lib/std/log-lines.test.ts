import pino from 'pino';
import { expect, test } from 'vitest';
import { logLines } from './log-lines';

test('a log entry is one plain line, whatever is in it', () => {
  const lines: string[] = [];
  const log = pino({ level: 'info', timestamp: () => ',"time":1893456000000' }, logLines((line) => void lines.push(line)));
  log.info({ rows: 3 }, 'replayed the journal');
  log.error({ reason: 'one\ntwo' }, 'failed\nhard');
  log.warn('plain');
  expect(lines).toEqual(['ohm: replayed the journal {"rows":3}', 'ohm: 2030-01-01T00:00:00.000Z error: failed hard {"reason":"one\\ntwo"}', 'ohm: 2030-01-01T00:00:00.000Z warning: plain']);
});
