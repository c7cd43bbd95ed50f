/**
 * Where pino's JSON goes: to the same plain lines as everything else that the product says about itself,
 * `ohm: <moment and level, when it is not info> <message> {details}`. Details stay JSON, which escapes line ends, so
 * that a value from outside cannot make a line of its own.
 */
export function logLines(print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`)): { write(json: string): void } {
  return {
    write(json) {
      const { level, time, pid: _pid, hostname: _hostname, msg, ...details } = JSON.parse(json) as Record<string, unknown>;
      const name = LEVELS[Number(level)];
      const text = [name && `${new Date(Number(time)).toISOString()} ${name}:`, oneLine(String(msg ?? '')), Object.keys(details).length > 0 && JSON.stringify(details)];
      print(`ohm: ${text.filter(Boolean).join(' ')}`);
    },
  };
}

/** pino's; info goes without saying. */
const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 40: 'warning', 50: 'error', 60: 'fatal' };

const oneLine = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ');
