import { shapeFault } from '../../wire';

/** Text that is shorter cannot hold the process long, whatever is in it. */
const LIGHT_CHARACTERS = 512 * 1024;
/** An answer of 4,000 tokens with 20 log probabilities each has some 700,000. */
const MAX_VALUES = 1_000_000;

/** Would parsing this hold every other call of the process for long? */
export const isTooHeavy = (json: string): boolean => json.length > LIGHT_CHARACTERS && shapeFault(json, Number.POSITIVE_INFINITY, MAX_VALUES) !== null;
