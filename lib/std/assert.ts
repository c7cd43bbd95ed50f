/** Throws when a state that the types rule out is reached: an error in our own code. */
export function unreachable(value: never, what: string): never {
  throw new Error(`unexpected ${what}: ${JSON.stringify(value)}`);
}
