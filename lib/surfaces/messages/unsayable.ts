import type { Unrepresentable } from '../../wire';

/** Thrown from deep inside a request, and caught where its translation began. */
export class Unsayable extends Error {
  constructor(readonly why: Unrepresentable) {
    super(why.message);
  }
}
