import { promised, type Probe } from './probe';

const TALKING = 'slow:50ms,text:400,tag:h1';
const SILENT = 'headers,stall,tag:h3';
const BOUND_MS = 1_000;

/** A client that hangs up: does the upstream hear of it, before and after content? */
export const hangUpReachesUpstream: Probe = {
  id: 'hang_up_reaches_upstream',
  how: 'Hangs up on a stream after its first token, and on a call whose upstream has sent headers only, and looks when the upstream’s connection closed.',
  routes: { 'probe-hang-up': [TALKING, 'text:5,tag:h2'], 'probe-hang-up-early': [SILENT, 'text:5,tag:h4'] },
  async run(bench) {
    const after = await bench.ask({ model: 'probe-hang-up', stream: true, leaveWhen: ({ body }) => body.includes('not a language model') });
    const afterMs = await upstreamHeard(TALKING, bench.now());
    const before = await bench.ask({ model: 'probe-hang-up-early', stream: true, leaveWhen: () => bench.contacts(SILENT).length > 0 });
    const beforeMs = await upstreamHeard(SILENT, bench.now());
    promised(after.ending === 'left' && before.ending === 'left', 'the call was over before this client hung up');
    const others = bench.contacts('text:5,tag:h2').length + bench.contacts('text:5,tag:h4').length;
    promised(others === 0, `after the client had left, another tier was contacted ${others} times`);
    return { saw: `The upstream’s connection closed ${afterMs} ms after a hang-up in mid-stream and ${beforeMs} ms after one before content; no other tier was tried.`, figures: { after_content_ms: afterMs, before_content_ms: beforeMs } };

    async function upstreamHeard(script: string, from: number): Promise<number> {
      const closed = await bench.eventually(BOUND_MS, () => bench.contacts(script).every((contact) => contact.endedAtMs !== null));
      promised(closed && bench.contacts(script).length > 0, `the upstream “${script}” was still open ${BOUND_MS} ms after the client had left`);
      return Math.max(0, Math.round(Math.max(...bench.contacts(script).map((contact) => contact.endedAtMs!)) - from));
    }
  },
};

const REVOCATION_BOUND_MS = 5_000;

/** How long does a revoked key go on working? */
export const revocationHolds: Probe = {
  id: 'revocation_holds',
  how: 'Issues a key, calls with it, revokes it, and calls again until it is refused.',
  routes: { 'probe-revocation': ['text:1,tag:k1'] },
  async run(bench) {
    const key = await bench.issueKey();
    try {
      const works = await bench.ask({ model: 'probe-revocation', stream: false, token: key.token });
      promised(works.status === 200, `a fresh key got status ${works.status}`);
    } finally {
      await bench.revokeKey(key.id);
    }
    const from = bench.now();
    for (;;) {
      const answer = await bench.ask({ model: 'probe-revocation', stream: false, token: key.token });
      const ms = Math.round(bench.now() - from);
      if (answer.status === 401) return { saw: `The key was refused ${ms} ms after it was revoked, in this process.`, figures: { refused_after_ms: ms, bound_ms: REVOCATION_BOUND_MS } };
      promised(ms < REVOCATION_BOUND_MS, `${ms} ms after it was revoked, the key still got status ${answer.status}`);
      await bench.eventually(50, () => false);
    }
  },
};
