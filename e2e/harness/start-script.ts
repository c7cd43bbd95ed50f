import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));

/** What a script of package.json runs Node with, flags and entry: tests start the product the way its users do. */
export function startScript(name: 'start' | 'edge' | 'start:next'): string[] {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { scripts: Record<string, string> };
  const [, line] = /^exec node (.+)$/.exec(scripts[name] ?? '') ?? [];
  if (line === undefined) throw new Error(`package.json: the script \`${name}\` does not run Node`);
  return line.split(' ');
}
