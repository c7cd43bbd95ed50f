import { readJson, readStream, type Answer } from './door-client';
import { promised, type Bench, type Probe } from './probe';

const COUNTED = 'text:20,tag:u1';
const SILENT = 'text:20,no-usage,tag:u2';

/** Do the figures that the upstream reported reach the client and the ledger unchanged, and is an estimate called one? */
export const usageIsMetered: Probe = {
  id: 'usage_is_metered',
  how: 'Compares the usage of a 20-token stream at three places (upstream, client, ledger), and asks for one whose upstream reports none.',
  routes: { 'probe-usage': [COUNTED], 'probe-no-usage': [SILENT] },
  async run(bench) {
    const answer = await bench.ask({ model: 'probe-usage', stream: true, body: { stream_options: { include_usage: true } } });
    const upstream = bench.contacts(COUNTED)[0];
    const client = readStream(answer.body).frames.findLast((frame) => frame.usage)?.usage;
    const row = answer.callId === null ? null : await bench.row(answer.callId);
    promised(upstream !== undefined && client != null, 'the client got no usage');
    promised(client.prompt_tokens === upstream.promptTokens && client.completion_tokens === 20, `upstream counted ${upstream.promptTokens} + 20, the client was told ${client.prompt_tokens} + ${client.completion_tokens}`);
    promised(row?.usage?.prompt_tokens === upstream.promptTokens && row.usage.completion_tokens === 20, 'the ledger row holds other figures');
    promised(row.usage_source === 'provider', `the ledger names the source ${row.usage_source}`);
    const silent = await bench.ask({ model: 'probe-no-usage', stream: true });
    const estimated = silent.callId === null ? null : await bench.row(silent.callId);
    promised(estimated?.usage_source === 'estimate' && estimated.usage_estimated.length > 0, `without figures from the upstream the ledger names the source ${estimated?.usage_source ?? 'nothing'}`);
    return { saw: `Upstream, client and ledger agree on ${client.prompt_tokens} + ${client.completion_tokens} tokens; a stream without figures was marked as an estimate.`, figures: { prompt_tokens: client.prompt_tokens, completion_tokens: client.completion_tokens } };
  },
};

/** One row a call, whatever became of it, with what the client really got. Looks at the calls of all probes before it. */
export const oneRowPerCall: Probe = {
  id: 'one_row_per_call',
  how: 'Looks up the ledger row of every call that the probes before it made, and compares its state and its bytes with what the client saw.',
  routes: {},
  async run(bench) {
    const calls = bench.answers().filter((answer) => answer.callId !== null && answer.status !== 401);
    promised(calls.length > 0, 'no call of this run carried X-Ohm-Request-Id');
    let bytes = 0;
    for (const call of calls) bytes += await compared(bench, call);
    const states = new Set(calls.map(stateSeen));
    return { saw: `${calls.length} calls, ${calls.length} rows; states (${[...states].sort().join(', ')}) and bytes agree with what the client saw.`, figures: { calls: calls.length, rows: calls.length, bytes } };
  },
};

async function compared(bench: Bench, call: Answer): Promise<number> {
  const row = await bench.row(call.callId!);
  promised(row !== null, `call ${call.callId} has no row`);
  const seen = stateSeen(call);
  promised(row.state === seen, `call ${call.callId} is ${row.state} in the ledger; the client saw ${seen}`);
  // A client that left cannot tell what was still on its way.
  if (seen === 'aborted') return 0;
  promised(row.flushed_bytes === call.bytes, `call ${call.callId}: ${row.flushed_bytes} bytes in the ledger, ${call.bytes} at the client`);
  return call.bytes;
}

function stateSeen(call: Answer): 'finished' | 'truncated' | 'rejected' | 'aborted' {
  if (call.ending === 'left') return 'aborted';
  if (call.status !== 200) return 'rejected';
  if (!call.question.stream) return readJson(call.body).error === undefined ? 'finished' : 'rejected';
  return readStream(call.body).done ? 'finished' : 'truncated';
}
