/** A terminal's Ctrl-C reaches a process twice when npm passes it on as well: that is one signal. */
const SAME_SIGNAL_MS = 200;

/** Runs `stop` on the first SIGTERM or SIGINT and exits with its outcome; a second one ends the process at once. */
export function stopOnSignal(stop: (signal: string) => Promise<void>, log: (line: string) => void): void {
  let firstAt: number | null = null;
  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    if (firstAt !== null) {
      if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(signal === 'SIGINT' ? 130 : 143);
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
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
