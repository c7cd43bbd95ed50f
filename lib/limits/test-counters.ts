import { systemClock } from '../std';
import { memoryStore } from '../stores/memory';
import { type Counters, createCounters } from './counters';

/** Counters of one process, for tests. */
export function processCounters(): Counters {
  const store = memoryStore(systemClock, 0);
  return createCounters(store, store);
}
