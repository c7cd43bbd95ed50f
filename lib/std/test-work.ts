/** Methods of lists that go over all of one, or may. */
const METHODS = ['concat', 'every', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex', 'flatMap', 'forEach', 'includes', 'indexOf', 'join', 'map', 'reduce', 'slice', 'some', 'sort', Symbol.iterator] as const;

/**
 * How many elements the methods of lists, spreads and loops over lists had before them while `work` ran: each counts
 * the whole list, wherever it stopped. No time is taken, so the figure is the same on a machine of any speed. Work that
 * looks each thing up among all the others shows in it; a loop over indexes does not.
 */
export function elementsPassed(work: () => void): number {
  const lists = Array.prototype as unknown as Record<PropertyKey, (this: unknown[], ...given: unknown[]) => unknown>;
  const own = METHODS.map((name) => lists[name]!);
  let passed = 0;
  for (let at = 0; at < METHODS.length; at++) {
    const method = own[at]!;
    lists[METHODS[at]!] = function counted(...given) {
      passed += this.length;
      return Reflect.apply(method, this, given);
    };
  }
  try {
    work();
  } finally {
    for (let at = 0; at < METHODS.length; at++) lists[METHODS[at]!] = own[at]!;
  }
  return passed;
}

/** How many characters were parsed as JSON while `work` ran, again or for the first time. */
export function charactersParsed(work: () => void): number {
  const own = JSON.parse;
  let parsed = 0;
  JSON.parse = (text, reviver) => {
    parsed += text.length;
    return own(text, reviver) as unknown;
  };
  try {
    work();
  } finally {
    JSON.parse = own;
  }
  return parsed;
}
