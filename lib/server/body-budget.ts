/** Bytes of request bodies that are in memory now, against one cap for the process. */
export interface BodyBudget {
  take(bytes: number): boolean;
  release(bytes: number): void;
}

export function bodyBudget(capBytes: number): BodyBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > capBytes) return false;
      held += bytes;
      return true;
    },
    release(bytes) {
      held -= bytes;
    },
  };
}
