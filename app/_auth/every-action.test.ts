import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Each of these asks where the form came from (same-origin.ts) before anything else. */
const ASKS = /\b(?:requireMember|presentMember|requireUser|refuseForeignForm|signIn|signUp|signOut|requestReset|resetPassword)\(/;

const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(`app/${file}`, 'utf8') }))
  .filter(({ text }) => /^['"]use server['"]/m.test(text));
const actions = files.flatMap(({ file, text }) =>
  [...text.matchAll(/^export (?:async )?(?:function|const) (\w+)[^]*?^}/gm)].map(([body, name]) => [`${file} ${name}`, body] as const),
);

test('there are server actions to look at', () => expect(actions.length).toBeGreaterThan(10));

test.each(actions)('%s asks where its form came from', (_, text) => expect(text).toMatch(ASKS));
