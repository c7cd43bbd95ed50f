import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeAttempt, describeCall } from './describe';
import { exampleCalls } from './examples';

describe('a call in sentences', () => {
  it('says which tier committed, what failed before and how it ended', () => {
    expect(describeCall(exampleCalls.failedOver)).toBe(
      'Tier 2 (text:20 on sandbox) committed after 430 ms. 2 upstream requests before it failed with nothing sent to the client. Finished after 1.12 s with 6,248 bytes flushed.',
    );
  });

  it('says that a rejected call sent no part of an answer', () => {
    expect(describeCall(exampleCalls.rejected)).toContain('Nothing committed');
    expect(describeCall(exampleCalls.rejected)).toContain('Rejected after 617 ms with status 502');
  });

  it('says why the walk went on, and to where', () => {
    const call = exampleCalls.failedOver;
    expect(describeAttempt(call, 0)).toBe(
      'The provider is overloaded (status 503). Nothing of it had been sent to the client, so the same tier was asked once more on a fresh connection.',
    );
    expect(describeAttempt(call, 1)).toContain('so the walk went on to tier 2.');
    expect(describeAttempt(call, 2)).toBe('First content after 106 ms, then answered in full; 6,248 bytes of it reached the client.');
  });

  it('names the next candidate of an eco tier', () => {
    const [first, again, served] = exampleCalls.failedOver.attempts;
    const call = { ...exampleCalls.failedOver, attempts: [first!, { ...again!, model: 'text:9' }, served!] };
    expect(describeAttempt(call, 0)).toBe('The provider is overloaded (status 503). Nothing of it had been sent to the client, so the next candidate of the same tier was asked: text:9 on sandbox.');
    expect(describeAttempt({ ...call, trial: { failTier: 1 } }, 0)).toBe('Made to fail by this test; its provider was not asked, so the next candidate of the same tier was asked: text:9 on sandbox.');
  });

  it.each(['the connection ended before an answer came', 'the answer is not valid HTTP'])('does not call a provider unreachable of which it says: %s', (message) => {
    expect(readFileSync('lib/outbound/exchange.ts', 'utf8')).toContain(`'${message}'`);
    const failed = { ...exampleCalls.rejected.attempts[0]!, class: 'connect' as const, upstream_status: null, message };
    const told = describeAttempt({ ...exampleCalls.rejected, attempts: [failed] }, 0);
    expect(told).toMatch(new RegExp(`^The provider was reached, but ${message}\\. `));
    const unreachable = { ...failed, message: 'no connection (ECONNREFUSED)' };
    expect(describeAttempt({ ...exampleCalls.rejected, attempts: [unreachable] }, 0)).toMatch(/^No connection could be made\. /);
  });

  it('says that nobody else is asked after content', () => {
    expect(describeAttempt(exampleCalls.truncated, 0)).toContain('no other tier was asked');
  });

  it('says why tiers were skipped', () => {
    expect(describeAttempt(exampleCalls.skipped, 0)).toBe('Skipped: it, or its connection, had failed a moment ago and was still cooling down.');
  });

  it('looks past skipped tiers for where the walk went', () => {
    const [failed, skipped, served] = [exampleCalls.failedOver.attempts[1]!, exampleCalls.skipped.attempts[1]!, exampleCalls.skipped.attempts[2]!];
    expect(describeAttempt({ ...exampleCalls.skipped, attempts: [failed, skipped, served] }, 0)).toContain('went on to tier 3.');
    expect(describeAttempt({ ...exampleCalls.rejected, attempts: [failed, skipped] }, 0)).toContain('and the tiers after it were skipped: the call was rejected with status 502.');
  });

  it('says of a lost call only that nothing is known', () => {
    const lost = { ...exampleCalls.clientLeft, state: 'lost' as const, replay: null, attempts: [], flushed_bytes: null, duration_ms: null, status: null };
    expect(describeCall(lost)).toContain('is not known');
    expect(describeCall(lost)).not.toMatch(/nothing committed|no tier/i);
  });

  it('says that an upstream request which the client left was aborted, not that it failed', () => {
    const left = { ...exampleCalls.clientLeft, tier: null, status: null, flushed_bytes: 0, attempts: [{ ...exampleCalls.clientLeft.attempts[0]!, bytes: 0, first_content_ms: null }] };
    expect(describeCall(left)).toBe('Nothing committed: no tier sent content. 1 upstream request was aborted with nothing sent to the client. The client left after 642 ms, with 0 bytes flushed.');
  });

  it('claims no count of bytes where the client left in the middle of one large write', () => {
    const json = exampleCalls.failedOver;
    const cut = { ...json, state: 'aborted' as const, flushed_bytes: null };
    expect(describeCall(cut)).toMatch(/The client left in the middle of the last write, which was made after .+; how much of it was taken is not known\.$/);
    const served = cut.attempts.findIndex((attempt) => attempt.state === 'finished');
    expect(describeAttempt(cut, served)).toMatch(/answered in full; the client left before the end of it had arrived\.$/);
  });

  it('says that no tier was asked where none was', () => {
    expect(describeCall({ ...exampleCalls.rejected, attempts: [] })).toContain('Nothing committed: no tier was asked.');
  });

  it('speaks of no client in a test, and of no request where the tier was made to fail', () => {
    const trial = { ...exampleCalls.failedOver, flushed_bytes: null, status: null, attempts: exampleCalls.failedOver.attempts.slice(1), trial: { failTier: 1 } };
    expect(describeCall(trial)).toBe('Tier 2 (text:20 on sandbox) committed after 430 ms. Tier 1 was made to fail and its provider not asked. Finished after 1.12 s.');
    expect(describeAttempt(trial, 0)).toBe('Made to fail by this test; its provider was not asked, so the walk went on to tier 2.');
    for (const call of Object.values(exampleCalls)) {
      const tested = { ...call, flushed_bytes: null, status: null, trial: { failTier: null } };
      const words = [describeCall(tested), ...call.attempts.map((_, index) => describeAttempt(tested, index))].join(' ');
      expect(words).not.toMatch(/reached (the client|it)|flushed|client left|sent to the client/);
    }
  });

  it('has a sentence for every attempt of every example', () => {
    for (const call of Object.values(exampleCalls)) {
      for (const index of call.attempts.keys()) expect(describeAttempt(call, index)).toMatch(/^[A-Z].+\.$/);
    }
  });
});
