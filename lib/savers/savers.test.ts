import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextSlot } from '../wire';
import { rewrittenTexts, runPipeline, SAVERS, type SaverId, saverById, saversOf } from '.';
import { loadCounter } from './tokenizer';

const slot = (text: string, rest: Partial<TextSlot> = {}): TextSlot => ({ message: 0, role: 'tool', toolCallId: 'call_1', text, locked: false, path: [], ...rest });
const NOTHING = { sameResult: () => null };
const by = (id: SaverId, text: string, rest: Partial<TextSlot> = {}): string => saverById(id).rewrite(text, slot(text, rest), NOTHING);

describe('blank-lines', () => {
  test.each([
    ['a\n\n\n\nb', 'a\n\nb'],
    ['a   \nb \nc ', 'a  \nb\nc'],
    ['Why?  It’s “a `s = {}` thing”, he said; (or so).\n\n\n\n- **b** \n', 'Why?  It’s “a `s = {}` thing”, he said; (or so).\n\n- **b**\n'],
    ['a  \nb', 'a  \nb'],
    ['a \r\n\r\n\r\n\r\nb', 'a\r\n\nb'.replace('\r\n\nb', '\r\n\nb')],
    ['```\na   \n\n\n\nb\n```\n\n\n\nc', '```\na   \n\n\n\nb\n```\n\nc'],
    ['~~~~\n```\n\n\n~~~\n\n\n~~~~\n', '~~~~\n```\n\n\n~~~\n\n\n~~~~\n'],
    ['    code\n\n\n    more\n\n\ntext', '    code\n\n\n    more\n\n\ntext'],
    ['> quoted   \n\n\n> b', '> quoted   \n\n\n> b'],
    ['{"a": 1,\n\n\n "b": 2}   ', '{"a": 1,\n\n\n "b": 2}   '],
    ['', ''],
    ['\n\n\n', '\n\n\n'],
  ])('%j', (text, expected) => {
    const made = by('blank-lines', text, { role: 'user' });
    if (text.includes('\r')) expect(made.replaceAll('\r', '')).toBe(expected.replaceAll('\r', ''));
    else expect(made).toBe(expected);
  });
});

describe('blank-lines leaves alone, wherever white space may mean something,', () => {
  const OTHER: [string, string][] = [
    ['a string of Python', 's = ""' + '"a\n\n\n\nb   ""' + '"'],
    ['a doc string', 'class A:\n    ""' + '"First.\n\n\n\n    Second."' + '""\n'],
    ['a patch', '@@ -1,5 +1,5 @@\n a\n \n \n-b \n+c\t\n d'],
    ['a patch without context', 'Apply:\n-b \n+c'],
    ['a table by tabs', 'name\tqty\nalpha\t\n\n\n\nbeta\t2'],
    ['empty cells', 'name \nalpha\t'],
    ['a table by commas', 'name,qty \nalpha,1 \n\n\n\n'],
    ['a table by columns', 'name      qty \nalpha       1 '],
    ['a table in Markdown', '| a | b | \n\n\n\nc'],
    ['a template literal', 'Render `a\n\n\n\nb` please'],
    ['a here document', 'cat <<EOF\na \n\n\n\nb\nEOF'],
    ['a call with a string', "puts('a\n\n\n\nb')"],
    ['a quotation over lines', 'He wrote "a \n\n\n\nb" there.'],
    ['a typographic one', 'Er schrieb „a \n\n\n\nb“ dort.'],
    ['a quoted scalar', "title: 'a\n\n\n\nb'"],
    ['a block scalar', 'text: |\n  a \n\n\n\n  b'],
    ['indented code', 'See\n    code\n\n\n    more\n\n\ntext'],
    ['a fence that begins within a line', 'Here: ```js\nf \n\n\n\ng\n```\n'],
    ['fences within fences', '```md\n```js\nf\n```\n\n\n\ng \n```\n'],
    ['lines that end in carriage returns', 'a \rb \r'],
  ];
  test.each(OTHER)('%s', (_, text) => {
    for (const role of ['user', 'system', 'assistant'] as const) expect(by('blank-lines', text, { role })).toBe(text);
  });
  test.each(OTHER)('%s, also with prose before and behind it', (_, text) => {
    const whole = `Please look at this. \n\n\n\n${text}\n\n\n\nThank you. `;
    expect(by('blank-lines', whole, { role: 'user' })).toBe(whole);
  });

  test('a patch of any lines, a string of any, and every word and hard break of anything', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', 'word', '.', '\t', '"', '=', '(', '`'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('""' + '"', '`', "'''"), (lines, quote) => {
        for (const text of [`@@ -1 +1 @@\n${lines.map((each, at) => ' +-'[at % 3] + each).join('\n')}`, `s = ${quote}${lines.join('\n')}${quote}`]) expect(by('blank-lines', text, { role: 'user' })).toBe(text);
        const shown = (text: string) => text.split('\n').flatMap((each) => (each.trim() === '' ? [] : [each.replace(/ {2,}$/, '\\').trimEnd()]));
        const prose = lines.join('\n');
        expect(shown(by('blank-lines', prose, { role: 'user' }))).toEqual(shown(prose));
      }),
    );
  });
});

describe('terminal-output', () => {
  test.each([
    ['\x1b[31mred\x1b[0m', 'red'],
    ['10%\r50%\r100%\ndone', '100%\ndone'],
    ['Receiving objects:  10% (1/10)\rReceiving objects: 100% (10/10), done.\n', 'Receiving objects: 100% (10/10), done.\n'],
    ['⠋ installing\r⠙ installing\r            \rdone\n', 'done        \n'],
    [' 10%|#   | 1/10 [00:01<00:09,  1.0it/s]\r100%|####| 10/10 [00:10<00:00,  1.0it/s]\n', '100%|####| 10/10 [00:10<00:00,  1.0it/s]\n'],
    ['40% [====>     ]\r80% [========> ]\n', '80% [========> ]\n'],
    ['downloading\r\x1b[Kdone\n', 'done\n'],
    ['ab\b\bcd', 'cd'],
    ['\x1b]0;title\x07text', 'text'],
    ['\x1b]8;;https://a.example\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['one\r\ntwo\r\n', 'one\r\ntwo\r\n'],
    ['1% é😀\r2% é\n', '2% é😀\n'],
    ['\b\ud800\x1b[31mred', '\ud800red'], // half a character pairs with nothing
    ['\x1b[', ''],
    ['plain', 'plain'],
    // A line end of its own where there is no other, and where no progress display was overwritten.
    ['name,qty\ralpha,1\rbeta,2\rgamma,3', 'name,qty\ralpha,1\rbeta,2\rgamma,3'],
    ['Result:\r{\r  "a": 1,\r  "b": 2\r}\r', 'Result:\r{\r  "a": 1,\r  "b": 2\r}\r'],
    ['10%\r\x1b[32m50%\x1b[0m\r\x1b[K100%', '10%\r50%\r100%'],
    ['name,qty\ralpha,1\rbeta,2\n', 'name,qty\ralpha,1\rbeta,2\n'],
    ['{"done": "10%"}\r{"done": "20%"}\nok\n', '{"done": "10%"}\r{"done": "20%"}\nok\n'],
    ['def f():\r    return 1\r\n', 'def f():\r    return 1\r\n'],
    ['alpha 10%\rbeta 20%\n', 'alpha 10%\rbeta 20%\n'],
    ['grew by 10%\rand then fell\n', 'grew by 10%\rand then fell\n'],
  ])('%j', (text, expected) => {
    expect(by('terminal-output', text)).toBe(expected);
  });

  test('an erased line is what a terminal shows, and a hundred thousand of them take no longer than their length', () => {
    const piece = fc.constantFrom('a', 'bc', '\b', '\x1b[K', '\x1b[1K', '\x1b[2K', '\x1b[0K', '\x1b[m');
    fc.assert(fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => { expect(by('terminal-output', `${pieces.join('')}\n`)).toBe(`${terminal(pieces)}\n`); }));
    // Every one of them written over the whole line would be 8 * 10^10 characters: minutes.
    for (const erase of ['\x1b[1K', '\x1b[2K']) expect(by('terminal-output', `${'a'.repeat(400_000)}${erase.repeat(200_000)}\n`)).toBe(`${' '.repeat(400_000)}\n`);
  });

  /** What is left of one line, cell by cell. */
  function terminal(pieces: string[]): string {
    let cells: string[] = [];
    let column = 0;
    for (const piece of pieces) {
      if (piece === '\b') column = Math.max(0, column - 1);
      else if (piece.startsWith('\x1b')) {
        if (piece.endsWith('1K') || piece.endsWith('2K')) cells = cells.map((cell, at) => (at < column ? ' ' : cell));
        if (!piece.endsWith('1K') && piece.endsWith('K')) cells = cells.slice(0, column);
      } else for (const character of piece) cells[column++] = character;
    }
    return cells.join('');
  }

  test('of a text without escape sequences nothing goes unless a percentage or a spinner was overwritten', () => {
    const piece = fc.constantFrom('\r', '\n', '\r\n', 'name', ' ', ',', '"', '{', '}', '12', '\t', '=', 'é', '😀', '(', ')');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        const text = pieces.join('');
        expect(by('terminal-output', text).replaceAll(/[\r\n ]/g, '')).toBe(text.replaceAll(/[\r\n ]/g, ''));
      }),
    );
  });
});

describe('json-compact', () => {
  test.each([
    ['{ "a" : 1.50 ,\n "b":[ 1, 2 ] , "c d": " x  \\" y " }', '{"a":1.50,"b":[1,2],"c d":" x  \\" y "}'],
    ['  [ ]  ', '[]'],
    ['{"a":1,"a" : 2}', '{"a":1,"a":2}'],
    ['{ not json }', '{ not json }'],
    ['12 ', '12 '],
  ])('%j', (text, expected) => {
    expect(by('json-compact', text)).toBe(expected);
  });

  test('any JSON keeps its meaning to the last number', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 8 }), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(JSON.parse(by('json-compact', text))).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('log-fold', () => {
  test.each([
    [`${'retrying the connection now\n'.repeat(50)}ok`, 'retrying the connection now\n[the line above stands here 50 times in a row]\nok'],
    ['a\na\na\na', 'a\na\na\na'],
    ['12:00 retry\n12:01 retry\n12:02 retry', '12:00 retry\n12:01 retry\n12:02 retry'],
    ['\n\n\n\n\n', '\n\n\n\n\n'],
  ])('%j', (text, expected) => {
    expect(by('log-fold', text)).toBe(expected);
  });
});

describe('stack-frames', () => {
  test('folds what lies in libraries and keeps what is one’s own', () => {
    const js = ['Error: no', '    at own (/app/src/a.ts:1:1)', '    at x (/app/node_modules/y/z.js:1:1)', '    at node:internal/process/task_queues:95:5', '    at p (node:events:1:2)', '    at mine (/app/src/b.ts:2:2)', '    at q (/app/node_modules/y/z.js:9:9)'].join('\n');
    expect(by('stack-frames', js)).toBe(['Error: no', '    at own (/app/src/a.ts:1:1)', '    [3 frames in libraries]', '    at mine (/app/src/b.ts:2:2)', '    at q (/app/node_modules/y/z.js:9:9)'].join('\n'));
    const python = ['Traceback (most recent call last):', '  File "/app/a.py", line 1, in f', '    g()', '  File "/usr/lib/site-packages/x.py", line 2, in g', '    h()', '  File "/usr/lib/site-packages/x.py", line 3, in h', '    raise ValueError', 'ValueError'].join('\n');
    expect(by('stack-frames', python)).toBe(['Traceback (most recent call last):', '  File "/app/a.py", line 1, in f', '    g()', '  [2 frames in libraries]', 'ValueError'].join('\n'));
  });
});

describe('base64-stub', () => {
  test('names a blob by size and hash, and leaves short, plain or hexadecimal runs alone', () => {
    const blob = Buffer.from(Array.from({ length: 600 }, (_, at) => (at * 31) % 251)).toString('base64');
    expect(by('base64-stub', `before ${blob} after`)).toMatch(/^before \[600 bytes of base64, sha256 [0-9a-f]{16}\] after$/);
    for (const text of ['a'.repeat(2_000), 'deadbeef01'.repeat(200), blob.slice(0, 400)]) expect(by('base64-stub', text)).toBe(text);
  });
});

describe('html-text', () => {
  test('gives what a reader would see', () => {
    const html = '<!DOCTYPE html><html><head><title>T</title><style>p{}</style></head><body><h1>Hello &amp; welcome</h1><script>alert("<p>")</script><p>One <b>two</b>\n three <a href="https://a.example/x?a=1&amp;b=2">link</a>.</p><ul><li>a<li>b</ul><pre>  keep\n   this</pre><table><tr><td>1<td>2</table></body></html>';
    expect(by('html-text', html)).toBe('Hello & welcome\n\nOne two three link (https://a.example/x?a=1&b=2).\n\n- a\n- b\n\n  keep\n   this\n\n\t1\t2');
  });
  test('leaves what is no document alone', () => {
    for (const text of ['<p>a</p>', 'a < b and c > d', '{"html":"<html>"}', 'see <html> tags']) expect(by('html-text', text)).toBe(text);
  });
});

describe('head-tail', () => {
  test('keeps both ends whole, to the line and to the surrogate pair', () => {
    const text = Array.from({ length: 3_000 }, (_, at) => `line ${at}`).join('\n');
    const made = by('head-tail', text);
    expect(made.length).toBeLessThan(19_000);
    expect(made).toMatch(/^line 0\n/);
    expect(made).toMatch(/\nline 2999$/);
    expect(made).toMatch(/\n\[\d+ characters are left out here\]\nline \d+\n/);
    const pairs = by('head-tail', '😀'.repeat(20_000));
    expect(Buffer.from(pairs, 'utf8').toString('utf8')).toBe(pairs); // a lone half would have become another character
    expect(by('head-tail', 'x'.repeat(20_000))).toBe('x'.repeat(20_000));
  });
});

describe('repeat-reference', () => {
  const result = 'the same long result '.repeat(20);
  const run = (slots: TextSlot[]) => runPipeline(slots, { savers: saversOf(['repeat-reference']), now: () => 0, budgetMs: 50 });

  test('names the first of them, and never the one that stands later', () => {
    const slots = [slot(result, { toolCallId: 'a' }), slot('other', { toolCallId: 'b' }), slot(result, { toolCallId: 'c' })];
    expect([...run(slots).texts]).toEqual([[2, '[Exactly the same as the result of the earlier call a.]']]);
  });

  test.each(['='.repeat(240), '-=-='.repeat(300), ' \n'.repeat(400), 'x'.repeat(240), `${'-'.repeat(400)}\nno tests were found\n`])('leaves %j alone, which is fewer tokens than a reference', (text) => {
    expect(run([slot(text, { toolCallId: 'a' }), slot(text, { toolCallId: 'b' })]).texts.size).toBe(0);
  });

  test('a reference is never more tokens than what it stands for', async () => {
    const counters = await Promise.all([loadCounter('o200k_base'), loadCounter('cl100k_base')]);
    const unit = fc.oneof(fc.constantFrom('=', ' ', '\n', '-', 'a', 'A', '0', '12', 'the ', ' of', '{"', '": ', '\t', 'é', '好', '    '), fc.string({ maxLength: 6 }));
    const text = fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 300 })), { minLength: 1, maxLength: 8 }).map((parts) => parts.map(([each, times]) => each.repeat(times)).join(''));
    const id = fc.string({ unit: fc.constantFrom(...'abcXYZ019_-'), minLength: 1, maxLength: 40 });
    let replaced = 0;
    fc.assert(
      fc.property(text, id, (repeated, toolCallId) => {
        const made = run([slot(repeated, { toolCallId }), slot(repeated, { toolCallId: 'this one' })]).texts.get(1);
        if (made === undefined) return;
        replaced++;
        for (const count of counters) expect(count(made)).toBeLessThan(count(repeated));
      }),
      { numRuns: 200 },
    );
    expect(replaced).toBeGreaterThan(20);
  });
});

describe('every saver', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 400 }), fc.json(), fc.array(fc.constantFrom('\n', ' ', '\t', '\r', '\x1b[31m', '```', '    x', '> q', 'line', '<p>', '</p>', '<html>', '&amp;', '"', '{', '}', '\ud800', '😀'), { maxLength: 120 }).map((parts) => parts.join('')));

  test.each(SAVERS.map((saver) => [saver.id, saver] as const))('%s gives the same for the same, twice is once, and it never throws', (_, saver) => {
    fc.assert(
      fc.property(texts, fc.constantFrom('user', 'tool', 'system') as fc.Arbitrary<TextSlot['role']>, (text, role) => {
        const once = saver.rewrite(text, slot(text, { role }), NOTHING);
        expect(saver.rewrite(text, slot(text, { role }), NOTHING)).toBe(once);
        expect(typeof once).toBe('string');
        if (saver.lossless) expect(saver.rewrite(once, slot(once, { role }), NOTHING)).toBe(once);
      }),
      { numRuns: 400 },
    );
  });

  const HOSTILE = ['\x1b[', '\x1b]', '\r', '\b', ' \n', '\n', '`', '<', '<a href=', '<!--', '&', '{"', '[', '\\', 'at node_modules ', '  File "/site-packages/x", line\n', 'aA0', '> ', '😀', '"', '<script>', "='"];
  test.each(HOSTILE)('%j a million characters long is done in linear time by each', (unit) => {
    const half = unit.repeat(Math.ceil(500_000 / unit.length));
    const whole = half + half;
    for (const saver of SAVERS) {
      const took = (text: string) => {
        const startedAt = performance.now();
        saver.rewrite(text, slot(text), NOTHING);
        return performance.now() - startedAt;
      };
      took(half);
      // Not a time but a growth: quadratic work would take four times as long, and hundreds of times as long as reading.
      expect(Math.max(took(whole), 5)).toBeLessThan(Math.max(took(half), 5) * 60);
    }
  });
});

describe('the pipeline', () => {
  const run = (slots: TextSlot[], savers = SAVERS) => runPipeline(slots, { savers, now: () => performance.now(), budgetMs: 10_000 });
  const broken = (rewrite: () => string) => ({ ...saverById('log-fold'), rewrite });

  const fail = (): string => {
    throw new Error('no');
  };
  test.each<[string, () => string, string]>([
    ['throws', fail, 'threw'],
    ['makes it longer', () => 'x'.repeat(1_000), 'larger'],
    ['empties it', () => '', 'structure'],
    ['breaks JSON', () => '{', 'structure'],
  ])('undoes a saver that %s, and says so', (_, rewrite, undone) => {
    const { texts, records } = run([slot('{"a": [1, 2, 3]}')], [broken(rewrite), saverById('json-compact')]);
    expect(records[0]).toEqual({ saver: 'log-fold', texts: 0, bytes_before: 0, bytes_after: 0, tokens_before: null, tokens_after: null, undone });
    expect([...texts]).toEqual([[0, '{"a":[1,2,3]}']]);
  });

  test('undoes all that a saver did once its time is over', () => {
    let ms = 0;
    const { texts, records } = runPipeline([slot('{ "a": 1 }'), slot('{ "b": 1 }')], { savers: saversOf(['json-compact']), now: () => (ms += 30), budgetMs: 50 });
    expect(texts.size).toBe(0);
    expect(records).toEqual([{ saver: 'json-compact', texts: 0, bytes_before: 0, bytes_after: 0, tokens_before: null, tokens_after: null, undone: 'timeout' }]);
  });

  test('time is a limit of the whole conversation: one that grows past it is sent as it came, its earlier messages too', () => {
    const turn = (texts: string[]) => {
      let ms = 0;
      return runPipeline(texts.map((text) => slot(text)), { savers: saversOf(['json-compact']), now: () => (ms += 20), budgetMs: 50 }).texts;
    };
    expect([...turn(['{ "a": 1 }', '{ "b": 1 }'])]).toEqual([[0, '{"a":1}'], [1, '{"b":1}']]);
    expect([...turn(['{ "a": 1 }', '{ "b": 1 }', '{ "c": 1 }'])]).toEqual([]);
  });

  test('what keeps JSON is undone where it did not, and what replaces a text whole is not', () => {
    const sent = (keepsJson: boolean) => run([slot('{"a": [1, 2, 3]}')], [{ ...saverById('repeat-reference'), keepsJson, rewrite: () => '[as before]' }]);
    expect(sent(true).records[0]).toMatchObject({ texts: 0, undone: 'structure' });
    expect([...sent(false).texts]).toEqual([[0, '[as before]']]);
    expect(SAVERS.filter(({ keepsJson, lossless }) => keepsJson !== lossless).map(({ id }) => id)).toEqual(['repeat-reference']);
  });

  test('leaves locked texts alone', () => {
    expect(run([slot('{ "a": 1 }', { locked: true })]).texts.size).toBe(0);
  });

  test('a message is rewritten the same whatever follows it: the prefix of a growing conversation is byte-identical', () => {
    const text = fc.oneof(fc.constantFrom('{ "a": 1 }', 'a\n\n\n\nb', '\x1b[31mred\x1b[0m', `${'again and again\n'.repeat(30)}`, 'a long line of words '.repeat(20)), fc.string({ maxLength: 60 }));
    const message = fc.record({ text, role: fc.constantFrom('user', 'tool', 'assistant') as fc.Arbitrary<TextSlot['role']>, locked: fc.boolean() });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 12 }), (messages) => {
        const slots = messages.map((each, at) => slot(each.text, { ...each, message: at, toolCallId: `call_${at}` }));
        const sent = (upTo: number) => {
          const { texts } = run(slots.slice(0, upTo));
          return slots.slice(0, upTo).map((each, at) => texts.get(at) ?? each.text);
        };
        const whole = sent(slots.length);
        for (let upTo = 1; upTo <= slots.length; upTo++) expect(sent(upTo)).toEqual(whole.slice(0, upTo));
      }),
      { numRuns: 200 },
    );
  });

  test('counts bytes that are really gone', () => {
    const { records } = run([slot('{ "é": 1 }')], saversOf(['json-compact']));
    expect(records).toEqual([{ saver: 'json-compact', texts: 1, bytes_before: 11, bytes_after: 8, tokens_before: null, tokens_after: null, undone: null }]);
  });
});

test('a receipt names the savers that worked on this very text, also where another is equal to it', () => {
  const pretty = JSON.stringify({ rows: Array.from({ length: 30 }, (_, at) => ({ at, name: `row ${at}` })) }, null, 2);
  const slots = [slot(pretty, { toolCallId: 'c1', path: ['messages', 1] }), slot(pretty, { toolCallId: 'c2', path: ['messages', 2] })];
  const receipt = rewrittenTexts(slots, runPipeline(slots, { savers: saversOf(['json-compact', 'blank-lines', 'repeat-reference']), now: () => 0, budgetMs: 50 }));
  expect(receipt.map(({ message, savers }) => [message, savers.at(-1)])).toEqual([[2, 'json-compact'], [3, 'repeat-reference']]);
  expect(receipt[0]!.savers).not.toContain('repeat-reference');
});
