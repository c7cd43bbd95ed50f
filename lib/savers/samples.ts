/** Texts like those that agents send, made of the same words every time: for the bench, and for tests of speed. */
export type SampleKind = 'prose' | 'code' | 'json' | 'log' | 'terminal' | 'html' | 'stack';

export const SAMPLE_KINDS: readonly SampleKind[] = ['prose', 'code', 'json', 'log', 'terminal', 'html', 'stack'];

/** About this many characters of one kind. */
export function sample(kind: SampleKind, characters: number): string {
  const random = seeded(kind.length * 7_919 + characters);
  const word = () => WORDS[Math.floor(random() * WORDS.length)]!;
  const words = (n: number) => Array.from({ length: n }, word).join(' ');
  const number = (below: number) => Math.floor(random() * below);
  const piece = PIECES[kind];
  const parts: string[] = [];
  for (let length = 0; length < characters; ) {
    const part = piece({ words, number, word });
    parts.push(part);
    length += part.length;
  }
  return WRAPPED[kind](parts);
}

interface Dice {
  words(n: number): string;
  word(): string;
  number(below: number): number;
}

const PIECES: Record<SampleKind, (dice: Dice) => string> = {
  prose: ({ words, number }) => `${words(12 + number(40))}.${number(4) === 0 ? '  ' : ''}\n${number(5) === 0 ? '\n\n\n' : '\n'}`,
  code: ({ word, number }) => `${'  '.repeat(number(4))}const ${word()} = ${word()}(${number(1_000)}, '${word()}');${number(6) === 0 ? '\n\n' : '\n'}`,
  json: ({ words, word, number }) => `    {\n      "id": ${number(1e6)},\n      "${word()}": "${words(4)}",\n      "tags": [\n        "${word()}",\n        "${word()}"\n      ]\n    }`,
  log: ({ words, number }) => `2026-05-01T10:${10 + number(50)}:${10 + number(50)}Z INFO ${words(6)}\n${number(6) === 0 ? 'waiting for the lock to be released\n'.repeat(8) : ''}`,
  terminal: ({ words, number }) => `\u001b[32m✓\u001b[0m ${words(5)}\n${number(4) === 0 ? Array.from({ length: 10 }, (_, at) => `[${'#'.repeat(at)}${' '.repeat(10 - at)}] ${at * 10}%`).join('\r') + '\n' : ''}`,
  html: ({ words, word, number }) => `<div class="${word()} ${word()}"><h2>${words(3)}</h2>\n  <p>${words(30)} <a href="/${word()}/${number(999)}">${word()}</a> &amp; ${words(10)}</p></div>\n`,
  stack: ({ word, number }) => `    at ${word()} (/app/${number(3) === 0 ? 'src' : `node_modules/${word()}`}/${word()}.js:${number(900)}:${number(80)})\n${number(12) === 0 ? `Error: ${word()} failed\n` : ''}`,
};

const WRAPPED: Record<SampleKind, (parts: string[]) => string> = {
  prose: (parts) => parts.join(''),
  code: (parts) => `Here it is:\n\`\`\`ts\n${parts.join('')}\`\`\`\n`,
  json: (parts) => `{\n  "items": [\n${parts.join(',\n')}\n  ]\n}`,
  log: (parts) => parts.join(''),
  terminal: (parts) => parts.join(''),
  html: (parts) => `<!DOCTYPE html>\n<html><head><title>t</title><script>var a = 1;</script></head><body>\n${parts.join('')}</body></html>`,
  stack: (parts) => parts.join(''),
};

const WORDS = 'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so up said what its about than into them can only other time new some could these two may first then do any like my now over such our man even most me state after also made many did must before back see through way where get much go well your know should down work year because come people just say each those take day good how long'.split(' ');

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
