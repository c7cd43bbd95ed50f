/** A terminal's Ctrl-C reaches a process twice when npm passes it on as well: that is one signal. */
const SAME_SIGNAL_MS = 200;
/** 128 and the signal's number, as shells count. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Runs `stop` on the first SIGTERM, SIGINT or SIGHUP and exits with its outcome; a second one ends the process at once. */
export function stopOnSignal(stop: (signal: string) => Promise<void>, log: (line: string) => void): void {
  let firstAt: number | null = null;
  const onSignal = (signal: keyof typeof EXIT_CODES) => {
    if (firstAt !== null) {
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(EXIT_CODES[signal]);
      return;
    }
    firstAt = performance.now();
    log(`${signal}: stopping; a second one ends at once`);
    stop(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log(`stopping failed: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  for (const signal of Object.keys(EXIT_CODES) as (keyof typeof EXIT_CODES)[]) process.on(signal, onSignal);
  // A terminal that closed takes its output along: what is still said must not end the stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
