import { shapeFault } from '../wire';

/** Text that is shorter can neither hold the process long nor nest deeper than a stack bears, whatever is in it. */
const LIGHT_CHARACTERS = 1024;
/** An answer of 4,000 tokens with 20 log probabilities each has some 700,000. */
const MAX_VALUES = 1_000_000;
/** JSON.parse takes any depth, JSON.stringify gives up near 4,000. */
const MAX_DEPTH = 512;

/** Would parsing this hold every other call of the process for long, or writing it again overflow the stack? */
export const isTooHeavy = (json: string): boolean => json.length > LIGHT_CHARACTERS && shapeFault(json, MAX_DEPTH, MAX_VALUES) !== null;
