import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { POLICY } from '../gateway/attempt/failure';
import { REFUSALS } from '../gateway/rejection';
import { API_PROOFS, API_SECTIONS } from './api-proofs';
import { ERROR_CODES } from './error-codes';
import { DOC_SECTIONS, EXAMPLES_FILE, PROOFS } from './proofs';
import { CLAIMS } from './registry';
import { PLANE_PROOFS, PLANE_SECTIONS } from './plane-proofs';
import { recordedAnswer, WIRE_EXAMPLES } from './wire-examples';

const ROOT = join(import.meta.dirname, '../..');
const PAGES: Record<string, readonly string[]> = { '/docs/streaming-failover': DOC_SECTIONS, '/docs/apis': API_SECTIONS, '/docs/two-planes': PLANE_SECTIONS };
const ALL_PROOFS = [...PROOFS, ...API_PROOFS, ...PLANE_PROOFS];

describe('the pages that promise', () => {
  it.each(ALL_PROOFS.map((proof) => [proof.test, proof.file] as const))('the test “%s” stands in %s', async (test, file) => {
    const names = file === EXAMPLES_FILE ? WIRE_EXAMPLES.map((example) => `'${example.test}'`).join('\n') : await readFile(join(ROOT, file), 'utf8');
    await expect(readFile(join(ROOT, file), 'utf8')).resolves.toBeTruthy();
    expect(names).toMatch(new RegExp(`(['"\`])${escaped(test).replaceAll('…', '(?:%s|\\$\\{\\w+\\})')}\\1`));
    expect(test).not.toMatch(/%s|\$\{/); // shown to readers as it stands
  });

  it('shows an answer of the engine for every ending', () => {
    for (const example of WIRE_EXAMPLES) expect(recordedAnswer(example.id)).toMatch(/^HTTP\/1\.1 \d{3}\n/);
  });

  it('has the anchor that each claim points to', () => {
    for (const claim of CLAIMS) {
      const [page, anchor] = claim.docs.split('#') as [string, string];
      expect([claim.id, PAGES[page]?.includes(anchor)]).toEqual([claim.id, true]);
    }
  });
});

/** For use within a pattern. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|\/-]/g, '\\$&');

describe('the table of error codes', () => {
  const known = new Set(ERROR_CODES.map((entry) => entry.code));

  it('has a row for every code that the engine can answer with', async () => {
    const made = Object.values(REFUSALS).map((refusal) => (refusal as (...args: unknown[]) => { error: { code: string } })('x', []).error.code);
    const last = Object.values(POLICY).map((policy) => policy.last.code);
    const files = ['gateway/reject.ts', 'gateway/respond.ts', 'gateway/gateway.ts', 'gateway/read-request.ts', 'gateway/rejection.ts'];
    const text = (await Promise.all(files.map((file) => readFile(join(ROOT, 'lib', file), 'utf8')))).join('\n');
    const literal = [...text.matchAll(/(?:code(?:: | = )|\d{3}, |\? |: )'([a-z]+(?:_[a-z]+)+)'/g)].map((match) => match[1]!).filter((word) => !/(_error|_model)$|^(not_json|first_content|stream_options|pre_first)/.test(word) || word === 'internal_error');
    expect([...new Set([...made, ...last, ...literal])].filter((code) => !known.has(code))).toEqual([]);
  });

  it('has each code once in each place, with a meaning and a remedy', () => {
    const pairs = ERROR_CODES.map((entry) => `${entry.where} ${entry.code}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    for (const entry of ERROR_CODES) expect([entry.meaning, entry.remedy].every((sentence) => /[.:]$/.test(sentence))).toBe(true);
  });
});
