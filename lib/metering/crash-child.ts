import { openSync, writeSync } from 'node:fs';
import { openDatabase } from '../db';
import { systemClock } from '../std';
import { admitted, finished, memoryLog } from './fixtures';
import { openLedger } from './ledger';

/**
 * The victim of crash.db.test.ts: writes calls as fast as it can until it is killed, and notes in a file of its
 * own, after the fact, what the ledger has acknowledged: `A id` admitted, `S id` settled, `C id` corrected.
 */
const [dataDir, ownerUrl, secret, acknowledgements, seed] = process.argv.slice(2) as [string, string, string, string, string];

async function main(): Promise<void> {
  const notes = openSync(acknowledgements, 'a');
  const note = (text: string) => writeSync(notes, `${text}\n`);
  const random = seeded(Number(seed));
  const db = await openDatabase({ ownerUrl, secret, migrate: false, poolSize: 3 });
  note('P ready');
  const ledger = await openLedger({ dataDir, db, clock: systemClock, log: memoryLog(), journal: { segmentBytes: 32 * 1024 }, backlog: { rows: 300, bytes: 1e6 } });
  const open: ReturnType<typeof admitted>[] = [];
  for (;;) {
    const row = admitted();
    await ledger.admit(row);
    note(`A ${row.id}`);
    open.push(row);
    while (open.length > 20 || (open.length > 0 && random() < 0.5)) {
      const [ended] = open.splice(Math.floor(random() * open.length), 1);
      await ledger.settle(finished(ended));
      note(`S ${ended!.id}`);
      if (random() < 0.1) {
        ledger.correct(ended!.id, { state: 'aborted', flushed_bytes: 7 });
        note(`C ${ended!.id}`);
      }
    }
    if (random() < 0.3) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Mulberry32. */
function seeded(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

void main();
