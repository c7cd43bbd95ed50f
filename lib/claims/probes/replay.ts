import { readJson, readStream, type Answer } from './door-client';
import { promised, type Probe } from './probe';

const CUT = 'text:5,reset,tag:p1';
const WHOLE = 'text:5,tag:p2';

/** Is a whole answer served again, as it was and as what it is, and a truncated one never? */
export const replayIsExact: Probe = {
  id: 'replay_is_exact',
  how: 'Issues a key with exact replay and sends the same request again, once where the stream is truncated and once where it finishes, streamed and not; compares the answers and counts how often the upstream was contacted.',
  routes: { 'probe-replay-cut': [CUT], 'probe-replay': [WHOLE] },
  async run(bench) {
    const key = await bench.issueKey(true);
    const ask = (model: string, stream: boolean) => bench.ask({ model, stream, token: key.token });
    try {
      const cut = [await ask('probe-replay-cut', true), await ask('probe-replay-cut', true)];
      promised(cut.every((answer) => readStream(answer.body).error?.code === 'stream_truncated'), 'a truncated stream was not called truncated');
      promised(bench.contacts(CUT).length >= 2 && cut.every((answer) => cacheOf(answer) === 'MISS'), `the second request for a truncated answer said X-AT-Cache: ${cacheOf(cut[1]!)}`);

      const [first, again, json] = [await ask('probe-replay', true), await ask('probe-replay', true), await ask('probe-replay', false)];
      const outcomes = [first, again, json].map(cacheOf).join(', ');
      promised(outcomes === 'MISS, HIT, HIT', `three equal requests said X-AT-Cache: ${outcomes}`);
      promised(bench.contacts(WHOLE).length === 1, `three equal requests reached the upstream ${bench.contacts(WHOLE).length} times`);
      const [said, repeated] = [readStream(first.body), readStream(again.body)];
      promised(said.text !== '' && said.text === repeated.text && said.text === readJson(json.body).choices?.[0]?.message?.content, 'the replayed text is not the text of the answer');
      promised(repeated.done && repeated.strays.length === 0 && repeated.finishReason === said.finishReason, 'the replayed stream is no whole stream');
      promised(repeated.frames.length < said.frames.length, `the replay came in ${repeated.frames.length} frames, as if it had the timing of the ${said.frames.length} original ones`);
      const row = again.callId === null ? null : await bench.row(again.callId);
      promised(row?.replay === 'HIT' && row.cost_nano_usd === 0 && row.attempts.length === 0, 'the ledger does not call the hit a hit that cost nothing');
      return {
        saw: 'An equal request was answered from the stored answer, as a stream and as JSON, without asking the upstream again; the ledger calls it a hit at cost 0. A truncated answer was not stored: the same request reached the upstream both times.',
        figures: { requests: 5, replayed: 2, original_frames: said.frames.length, replayed_frames: repeated.frames.length },
      };
    } finally {
      await bench.revokeKey(key.id);
    }
  },
};

const cacheOf = (answer: Answer): string => answer.headers['x-at-cache'] ?? 'nothing';
