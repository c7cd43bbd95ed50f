import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** In a process of its own: the layout of String.prototype is the same for everybody in it, and what has happened to it stays. */
function fastAfter(lines: string): boolean {
  const script = `${lines}\nconsole.log(%HasFastProperties(String.prototype));`;
  const out = execFileSync(process.execPath, ['--allow-natives-syntax', '--import', 'tsx', '--input-type=module', '--eval', script], { encoding: 'utf8' });
  return out.trim() === 'true';
}

test('a class that is derived from String leaves its methods as they were', () => {
  const helper = JSON.stringify(import.meta.resolve('./fast-strings.ts'));
  expect(fastAfter(`import { keepStringMethodsFast } from ${helper};\nkeepStringMethodsFast();\nclass Word extends String {}\nnew Word("x");`)).toBe(true);
});

test('so does the store over Redis', () => {
  const store = JSON.stringify(import.meta.resolve('./redis.ts'));
  expect(fastAfter(`import { redisStore } from ${store};\nconst store = await redisStore("redis://127.0.0.1:1");\nawait store.close();`)).toBe(true);
});
