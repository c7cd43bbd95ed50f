import { replay, takeOver, type AdoptOptions } from './adopt';

/** How often a process looks for journals that others have left behind. */
const ADOPT_EVERY_MS = 5_000;
/** How long opening waits for the replay of what an earlier process left; the rest goes on behind. */
const REPLAY_BOUND_MS = 5_000;

export interface Adoption {
  /** The first round is through, or is taking long. */
  first: Promise<unknown>;
  running(): number;
  /** Were there journals of other living processes, when last looked? */
  neighbours(): boolean;
  close(): Promise<void>;
}

/** Looks for abandoned journals now and every few seconds: a process that dies is cleared up after by its neighbours. */
export function keepAdopting(options: AdoptOptions): Adoption {
  const replays = new Set<Promise<unknown>>();
  let neighbours = false;
  const round = async () => {
    const { paths, others } = await takeOver(options);
    neighbours = others > 0;
    const mine = paths.map((path) => {
      const running: Promise<unknown> = replay(path, options)
        .catch((error) => options.log.error({ path, reason: String(error) }, 'a journal could not be replayed'))
        .finally(() => replays.delete(running));
      replays.add(running);
      return running;
    });
    await Promise.all(mine);
  };
  let looking = round();
  const timer = setInterval(() => {
    if (replays.size === 0) looking = round();
  }, ADOPT_EVERY_MS);
  timer.unref();
  return {
    first: Promise.race([looking, new Promise((resolve) => setTimeout(resolve, REPLAY_BOUND_MS).unref())]),
    running: () => replays.size,
    neighbours: () => neighbours,
    async close() {
      clearInterval(timer);
      await looking;
      await Promise.all(replays);
    },
  };
}
