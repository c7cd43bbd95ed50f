export const SAMPLE_IDS = ['agent', 'log', 'html', 'json'] as const;
export type SampleId = (typeof SAMPLE_IDS)[number];

export interface Sample {
  id: SampleId;
  label: string;
  /** What it is like, for people. */
  about: string;
  text: string;
}

export const isSample = (id: string): id is SampleId => (SAMPLE_IDS as readonly string[]).includes(id);

const ESC = '\u001b';

/** Made up, and shaped like what agents really send; the same at every start. */
export const SAMPLES: readonly Sample[] = [
  { id: 'agent', label: 'A coding agent’s conversation', about: 'A Messages request: tool calls and their results, a file that is read twice, a test run with colours and a progress bar.', text: agent() },
  { id: 'log', label: 'A service’s log', about: 'A tool’s result: lines that repeat, and a stack trace through libraries.', text: log() },
  { id: 'html', label: 'A fetched web page', about: 'A tool’s result: an HTML document with its scripts and styles.', text: html() },
  { id: 'json', label: 'Pretty-printed JSON', about: 'A tool’s result: what an API answered, indented for people.', text: json() },
];

export const sampleOf = (id: SampleId): Sample => SAMPLES.find((sample) => sample.id === id)!;

function agent(): string {
  const source = sourceFile();
  const use = (id: string, name: string, input: Record<string, unknown>) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input }] });
  const result = (id: string, content: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] });
  return JSON.stringify(
    {
      model: 'claude-sonnet-4-5',
      max_tokens: 4_096,
      system: [{ type: 'text', text: 'You are a careful programmer. Read before you write, and run the tests.   \n\n\n\nWork in small steps.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: 'The invoice total is off by a cent for some orders.   \n\n\n\nFind out why and mend it.   ' },
        use('toolu_01', 'read_file', { path: 'src/invoice.ts' }),
        result('toolu_01', source),
        use('toolu_02', 'bash', { command: 'npm test' }),
        result('toolu_02', testRun()),
        { role: 'assistant', content: 'Rounding happens for each line. I look at the file once more before I change it.' },
        use('toolu_03', 'read_file', { path: 'src/invoice.ts' }),
        result('toolu_03', source),
        use('toolu_04', 'fetch_orders', { status: 'disputed' }),
        result('toolu_04', JSON.stringify({ orders: orders(8) }, null, 2)),
        { role: 'user', content: 'Go on, and explain the change in two sentences.' },
      ],
    },
    null,
    2,
  );
}

function sourceFile(): string {
  const lines = ["import { readRates } from './rates';", '', 'export interface Line {', '  quantity: number;', '  unitCents: number;', '  taxPercent: number;', '}', ''];
  for (const name of ['net', 'tax', 'gross', 'discounted', 'shipped']) {
    lines.push(`export function ${name}Total(lines: Line[]): number {`, '  let total = 0;', '  for (const line of lines) {', '    const amount = line.quantity * line.unitCents;', `    total += Math.round(amount * (1 + line.taxPercent / 100)); // ${name}`, '  }', '  return total;', '}', '');
  }
  return lines.join('\n');
}

function testRun(): string {
  const bar = Array.from({ length: 21 }, (_, step) => `[${'#'.repeat(step).padEnd(20)}] ${step * 5}%`).join('\r');
  const passed = ['adds lines', 'adds no lines', 'takes a discount', 'ships for free above 50', 'reads rates'].map((name) => `${ESC}[32m  ✓${ESC}[39m ${ESC}[2m${name}${ESC}[22m`);
  return ['> invoice@1.4.0 test', '> vitest run', '', bar, ...passed, `${ESC}[31m  ✗ rounds once${ESC}[39m`, `${ESC}[31m    expected 1999, got 2000${ESC}[39m`, `${ESC}[1mTests${ESC}[22m  ${ESC}[31m1 failed${ESC}[39m | ${ESC}[32m5 passed${ESC}[39m`].join('\n');
}

function orders(count: number) {
  return Array.from({ length: count }, (_, at) => ({ id: `ord_${1_000 + at * 37}`, status: 'disputed', currency: 'EUR', lines: [{ sku: `A-${at}`, quantity: at + 1, unitCents: 333 + at, taxPercent: 19 }, { sku: `B-${at}`, quantity: 2, unitCents: 1_250, taxPercent: 7 }], note: null }));
}

function log(): string {
  const lines: string[] = [];
  for (let minute = 0; minute < 12; minute++) {
    lines.push(`2026-03-14T09:${String(minute).padStart(2, '0')}:03Z INFO  worker started batch=${minute}`);
    for (let wait = 0; wait < 14; wait++) lines.push('WARN  queue is full, waiting 250 ms');
    if (minute % 4 === 3) lines.push(...trace(minute));
    lines.push(`2026-03-14T09:${String(minute).padStart(2, '0')}:41Z INFO  worker finished batch=${minute} rows=${minute * 113}`);
  }
  return lines.join('\n');
}

function trace(minute: number): string[] {
  const library = (name: string, line: number) => `    at ${name} (/srv/app/node_modules/pg-pool/lib/index.js:${line}:11)`;
  return [
    `Error: connection ended during batch ${minute}`,
    '    at runBatch (/srv/app/src/batch.js:48:13)',
    ...['Pool.connect', 'Pool._acquire', 'Pool._pulse', 'Client._connect', 'Client.end', 'Client._handleError'].map((name, at) => library(name, 40 + at * 57)),
    '    at Socket.emit (node:events:519:28)',
    '    at emitErrorNT (node:internal/streams/destroy:169:8)',
    '    at main (/srv/app/src/main.js:12:3)',
  ];
}

function html(): string {
  const css = Array.from({ length: 40 }, (_, at) => `.grid-${at}{display:grid;gap:${at}px;padding:${at % 7}rem}`).join('\n');
  const script = Array.from({ length: 30 }, (_, at) => `window.dataLayer.push({event:"view",slot:${at},consent:"granted"});`).join('\n');
  const nav = Array.from({ length: 12 }, (_, at) => `        <li class="nav__item nav__item--level-1"><a class="nav__link" href="/docs/chapter-${at + 1}" data-track="nav-${at}">Chapter ${at + 1}</a></li>`).join('\n');
  const body = ['Retries and back-off', 'What may be retried', 'What must not be', 'Limits'].map((title, at) => `      <section class="article__section" id="s${at}">\n        <h2 class="article__title">${title}</h2>\n        <p class="article__text">A request that failed before anything was done may be sent again.&nbsp;Wait a little longer each time, and add some chance, so that clients do not come back together &amp; fail together.</p>\n        <ul>\n          <li>408, 429 and 5xx: after the time in <code>Retry-After</code></li>\n          <li>400, 401 and 403: never, since nothing will have changed</li>\n        </ul>\n      </section>`).join('\n');
  return `<!DOCTYPE html>\n<html lang="en">\n  <head>\n    <meta charset="utf-8">\n    <title>Retries</title>\n    <style>\n${css}\n    </style>\n    <script>\n${script}\n    </script>\n  </head>\n  <body class="page page--docs">\n    <nav class="nav" aria-label="Chapters">\n      <ul class="nav__list">\n${nav}\n      </ul>\n    </nav>\n    <main class="article">\n      <h1 class="article__heading">Retries</h1>\n${body}\n    </main>\n    <svg width="24" height="24" viewBox="0 0 24 24"><path d="M12 2 2 22h20L12 2zm0 5 7 13H5l7-13z"/></svg>\n  </body>\n</html>\n`;
}

function json(): string {
  return JSON.stringify({ object: 'list', has_more: true, data: orders(24) }, null, 4);
}
