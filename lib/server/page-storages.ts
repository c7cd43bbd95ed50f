import { AsyncLocalStorage } from 'node:async_hooks';

export interface PageStorages {
  /** A page begins to be made; the result says that it is done. */
  pageBegins(): () => void;
}

/**
 * Next and React keep what belongs to a page in async storages. From the first use of one on, node calls a hook for
 * every promise, timer and tick of the process, and each of them carries the state of every storage: a fifth of what
 * a call on the data plane costs, which has no use for any of it. So they are turned off while no page has been made
 * for `quietMs`. They hold nothing then, and the first use by the next page turns them on again.
 *
 * To be called before Next is loaded: it learns of the storages by their first use.
 */
export function quietPageStorages(quietMs = 1_000): PageStorages {
  const used = new Set<AsyncLocalStorage<unknown>>();
  let pages = 0;
  watchUses((storage) => used.add(storage));

  const quiet = setTimeout(() => {
    if (pages > 0) return;
    for (const storage of used) storage.disable();
  }, quietMs).unref();

  return {
    pageBegins() {
      let done = false;
      pages++;
      return () => {
        if (done) return;
        done = true;
        if (--pages === 0) quiet.refresh();
      };
    },
  };
}

/** `run` and `enterWith` are the two ways into a storage. */
function watchUses(note: (storage: AsyncLocalStorage<unknown>) => void): void {
  const storages = AsyncLocalStorage.prototype;
  const { run, enterWith } = storages;
  storages.run = function (this: AsyncLocalStorage<unknown>, ...args: unknown[]) {
    note(this);
    return Reflect.apply(run, this, args) as never;
  };
  storages.enterWith = function (this: AsyncLocalStorage<unknown>, store: unknown) {
    note(this);
    enterWith.call(this, store);
  };
}
