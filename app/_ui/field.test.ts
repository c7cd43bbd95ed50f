import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));

test('no form has a number field of the browser, which sends a mistyped number as an empty one', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => /type=(?:"number"|\{['"]number['"]\})/.test(readFileSync(`app/${file}`, 'utf8')))).toEqual([]);
});
