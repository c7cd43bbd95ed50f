import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyring, type SealedFor } from './keyring';

const SECRET = 'one-operator-value-0123456789-abcdef';
const ring = createKeyring(SECRET);
const owner: SealedFor = { workspaceId: 'ws_a', recordId: 'conn_1', version: 1 };

describe('a sealed value opens', () => {
  test('for its own record, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (plain) => {
        expect(ring.open(ring.seal(plain, owner), owner)).toBe(plain);
      }),
    );
  });

  test('never twice to the same text form, and never showing the value', () => {
    const one = ring.seal('sk-canary-value', owner);
    expect(one).not.toBe(ring.seal('sk-canary-value', owner));
    expect(one).not.toContain('canary');
    expect(Buffer.from(one.split('.')[3]!, 'base64url').toString('latin1')).not.toContain('canary');
  });

  test('for nobody else: another workspace, another record, an older version put back', () => {
    const sealed = ring.seal('sk-1', owner);
    for (const other of [{ ...owner, workspaceId: 'ws_b' }, { ...owner, recordId: 'conn_2' }, { ...owner, version: 2 }]) {
      expect(() => ring.open(sealed, other)).toThrow(/altered or belongs/);
    }
  });

  test('not when data keys or bodies of two records are swapped', () => {
    const other: SealedFor = { ...owner, recordId: 'conn_2' };
    const [a, b] = [ring.seal('sk-1', owner).split('.'), ring.seal('sk-2', other).split('.')];
    expect(() => ring.open([a[0], a[1], b[2], a[3]].join('.'), owner)).toThrow(/altered or belongs/);
    expect(() => ring.open([a[0], a[1], a[2], b[3]].join('.'), owner)).toThrow(/altered or belongs/);
    expect(() => ring.open([a[0], a[1], b[2], b[3]].join('.'), owner)).toThrow(/altered or belongs/);
  });

  test('not with any single bit flipped', () => {
    const [format, kek, wrapped, body] = ring.seal('sk-1', owner).split('.') as [string, string, string, string];
    for (const part of ['wrapped', 'body'] as const) {
      const bytes = Buffer.from(part === 'wrapped' ? wrapped : body, 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        const text = flipped.toString('base64url');
        const sealed = part === 'wrapped' ? [format, kek, text, body] : [format, kek, wrapped, text];
        expect(() => ring.open(sealed.join('.'), owner)).toThrow(/altered or belongs/);
      }
    }
  });

  test.each(['', 'plain', 'ohm1', 'ohm1.x', 'ohm1.x.y.z', 'ohm2.a.b.c', 'ohm1.a.b.c.d'])('not when it is junk: %j', (junk) => {
    expect(() => ring.open(junk, owner)).toThrow(/seal/);
  });
});

describe('rotation', () => {
  test('the new ring opens what the old one sealed, calls it stale, and its own not', () => {
    const sealed = ring.seal('sk-1', owner);
    const next = createKeyring('another-operator-value-9876543210-zyx', [SECRET]);
    expect(next.open(sealed, owner)).toBe('sk-1');
    expect(next.isStale(sealed)).toBe(true);
    const resealed = next.seal(next.open(sealed, owner), owner);
    expect(next.isStale(resealed)).toBe(false);
    expect(() => ring.open(resealed, owner)).toThrow(/OHM_SECRET/);
  });
});
