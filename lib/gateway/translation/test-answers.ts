import { anthropic, type Answer, gemini, openai, responses, type Step } from '../../../e2e/harness';
import type { Wire } from '../../providers';
import type { SurfaceName } from './test-requests';
import type { Reading } from './test-readings';

/** One thing that a provider can answer, in its own words. */
interface Said {
  stream: Answer;
  whole: unknown;
}

/** What a client gets to know, whoever said it. */
export interface Answered {
  name: string;
  /** What the client asked for it, where an API wants to be asked. */
  ask?: Partial<Record<SurfaceName, object>>;
  /** How each wire says it; left out where it has no words for it. */
  said: Partial<Record<Wire, Said>>;
  /** What every client reads. */
  reads: Partial<Reading>;
  /** What a client of one API reads otherwise, and why is in its comment. */
  but?: Partial<Record<SurfaceName | `${Wire} to ${SurfaceName}` | Wire, Partial<Reading>>>;
}

const chunks = (deltas: object[], finish: string, usage: Step = openai.usage()): Answer => [openai.sseHead(), openai.role(), ...deltas.map((delta) => openai.frame(openai.chunk(delta as Record<string, unknown>))), openai.finish(finish), usage, openai.DONE, 'end'];
const completion = (message: object, finish: string, more: object = {}) => ({ ...openai.completion(''), choices: [{ index: 0, message: { role: 'assistant', content: null, refusal: null, ...message }, finish_reason: finish, ...more }] });

const events = (steps: Step[], reason = 'end_turn'): Answer => [anthropic.sseHead(), anthropic.start(), ...steps, anthropic.finish(reason), anthropic.stop, 'end'];
const message = (content: object[], reason = 'end_turn', more: object = {}) => ({ ...anthropic.message(''), content, stop_reason: reason, ...more });
const block = (index: number, start: object, ...deltas: object[]): Step[] => [anthropic.open(index, start as Record<string, unknown>), ...deltas.map((delta) => anthropic.delta(index, delta as Record<string, unknown>)), anthropic.close(index)];

const parts = (list: object[][], finish = 'STOP', rest: Record<string, unknown> = {}): Answer => [gemini.sseHead(), ...list.map((each) => gemini.frame(gemini.candidate(each))), gemini.frame(gemini.candidate(null, { finishReason: finish, ...rest }, USED)), 'end'];
const candidate = (list: object[], finish = 'STOP', rest: Record<string, unknown> = {}) => gemini.candidate(list, { finishReason: finish, ...rest }, USED);
const USED = { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 } };

const response = (output: object[], more: object = {}) => ({ ...responses.IDENTITY, status: 'completed', error: null, incomplete_details: null, output, usage: responses.USAGE, ...more });
const textItem = (text: string, more: object = {}) => ({ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'output_text', annotations: [], logprobs: [], text, ...more }] });
/** Each item as one `added` and one `done`, behind the deltas that are given for it. */
function ladder(items: { item: object; deltas?: [string, object][] }[], more: object = {}): Answer {
  let sequence = 1;
  const steps = items.flatMap(({ item, deltas = [] }, output_index) => [
    responses.event('response.output_item.added', sequence++, { output_index, item: { ...item, status: 'in_progress', content: [], summary: [], arguments: '', input: '', encrypted_content: null } }),
    ...deltas.map(([type, delta]) => responses.event(`response.${type}`, sequence++, { item_id: (item as { id: string }).id, output_index, content_index: 0, summary_index: 0, ...delta })),
    responses.event('response.output_item.done', sequence++, { output_index, item }),
  ]);
  const ended = response(items.map(({ item }) => item), more);
  return [openai.sseHead(), responses.preamble()[0]!, ...steps, responses.event(`response.${ended.status}`, sequence, { response: ended }), 'end'];
}
const said = (delta: string): [string, object] => ['output_text.delta', { delta, logprobs: [] }];

const call = (letter: string, city: string) => ({ id: `call_${letter}`, name: 'weather', arguments: JSON.stringify({ city }) });
const CALLS = [call('A', 'Oslo'), call('B', 'Rome')];
const toolCall = ({ id, name, arguments: text }: (typeof CALLS)[0]) => ({ id, type: 'function', function: { name, arguments: text } });
const toolUse = ({ id, name, arguments: text }: (typeof CALLS)[0]) => ({ type: 'tool_use', id, name, input: JSON.parse(text) as object });
const functionCall = ({ id, name, arguments: text }: (typeof CALLS)[0]) => ({ functionCall: { id, name, args: JSON.parse(text) as object } });
const callItem = ({ id, name, arguments: text }: (typeof CALLS)[0], at: number) => ({ id: `fc_${at}`, type: 'function_call', status: 'completed', call_id: id, name, arguments: text });

const CITED = { url: 'https://example.com/a', title: 'A' };
const URL_CITATION = { type: 'url_citation', ...CITED, start_index: 0, end_index: 7 };
const WEB_LOCATION = { type: 'web_search_result_location', ...CITED, cited_text: 'x', encrypted_index: 'e' };
const GROUNDED = { groundingMetadata: { groundingChunks: [{ web: { uri: CITED.url, title: CITED.title } }], groundingSupports: [{ segment: { endIndex: 7 }, groundingChunkIndices: [0] }] } };
const TOKEN = { token: 'hi', logprob: -0.1, bytes: [104, 105], top_logprobs: [{ token: 'hi', logprob: -0.1, bytes: [104, 105] }] };

export const ANSWERED: readonly Answered[] = [
  {
    name: 'words and parallel tool calls',
    said: {
      openai: {
        stream: chunks([{ content: 'Looking.' }, ...CALLS.flatMap((each, index) => [{ tool_calls: [{ ...toolCall(each), index, function: { name: each.name, arguments: each.arguments.slice(0, 5) } }] }, { tool_calls: [{ index, function: { arguments: each.arguments.slice(5) } }] }])], 'tool_calls'),
        whole: completion({ content: 'Looking.', tool_calls: CALLS.map(toolCall) }, 'tool_calls'),
      },
      anthropic: {
        stream: events([...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Looking.' }), ...CALLS.flatMap((each, at) => block(at + 1, { ...toolUse(each), input: {} }, { type: 'input_json_delta', partial_json: each.arguments.slice(0, 5) }, { type: 'input_json_delta', partial_json: each.arguments.slice(5) }))], 'tool_use'),
        whole: message([{ type: 'text', text: 'Looking.' }, ...CALLS.map(toolUse)], 'tool_use'),
      },
      gemini: { stream: parts([[{ text: 'Looking.' }], CALLS.map(functionCall)]), whole: candidate([{ text: 'Looking.' }, ...CALLS.map(functionCall)]) },
      'openai-responses': {
        stream: ladder([{ item: textItem('Looking.'), deltas: [said('Looking.')] }, ...CALLS.map((each, at) => ({ item: callItem(each, at), deltas: [['function_call_arguments.delta', { delta: each.arguments.slice(0, 5) }], ['function_call_arguments.delta', { delta: each.arguments.slice(5) }]] as [string, object][] }))]),
        whole: response([textItem('Looking.'), ...CALLS.map(callItem)]),
      },
    },
    reads: { text: 'Looking.', calls: CALLS, finish: 'tool_calls' },
  },
  {
    name: 'a call of a custom tool',
    ask: { 'chat.completions': { tools: [{ type: 'custom', custom: { name: 'shell' } }] }, responses: { tools: [{ type: 'custom', name: 'shell' }] } },
    said: {
      openai: {
        stream: chunks([{ tool_calls: [{ index: 0, id: 'call_A', type: 'custom', custom: { name: 'shell', input: 'ls ' } }] }, { tool_calls: [{ index: 0, custom: { input: '-l' } }] }], 'tool_calls'),
        whole: completion({ tool_calls: [{ id: 'call_A', type: 'custom', custom: { name: 'shell', input: 'ls -l' } }] }, 'tool_calls'),
      },
      'openai-responses': {
        stream: ladder([{ item: { id: 'ctc_0', type: 'custom_tool_call', call_id: 'call_A', name: 'shell', input: 'ls -l' }, deltas: [['custom_tool_call_input.delta', { delta: 'ls ' }], ['custom_tool_call_input.delta', { delta: '-l' }]] }]),
        whole: response([{ id: 'ctc_0', type: 'custom_tool_call', call_id: 'call_A', name: 'shell', input: 'ls -l' }]),
      },
    },
    reads: { customCalls: [{ id: 'call_A', name: 'shell', input: 'ls -l' }], calls: [], finish: 'tool_calls' },
  },
  {
    name: 'thinking that is signed',
    said: {
      openai: { stream: chunks([{ reasoning_content: 'hm' }, { content: 'four' }], 'stop'), whole: completion({ reasoning_content: 'hm', content: 'four' }, 'stop') },
      anthropic: {
        stream: events([...block(0, { type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'hm' }, { type: 'signature_delta', signature: 'SIG' }), ...block(1, { type: 'text', text: '' }, { type: 'text_delta', text: 'four' })]),
        whole: message([{ type: 'thinking', thinking: 'hm', signature: 'SIG' }, { type: 'text', text: 'four' }]),
      },
      gemini: { stream: parts([[{ text: 'hm', thought: true }], [{ text: 'four', thoughtSignature: 'SIG' }]]), whole: candidate([{ text: 'hm', thought: true }, { text: 'four', thoughtSignature: 'SIG' }]) },
      'openai-responses': {
        stream: ladder([{ item: reasoningItem('hm', 'SIG'), deltas: [['reasoning_summary_text.delta', { delta: 'hm' }]] }, { item: textItem('four'), deltas: [said('four')] }]),
        whole: response([reasoningItem('hm', 'SIG'), textItem('four')]),
      },
    },
    reads: { reasoning: 'hm', text: 'four', finish: 'stop', signed: true },
    but: { openai: { signed: false } }, // this wire has no signatures
  },
  {
    name: 'a refusal',
    said: {
      openai: { stream: chunks([{ refusal: 'I will ' }, { refusal: 'not.' }], 'stop'), whole: completion({ refusal: 'I will not.' }, 'stop') },
      'openai-responses': {
        stream: ladder([{ item: refusalItem('I will not.'), deltas: [['refusal.delta', { delta: 'I will ' }], ['refusal.delta', { delta: 'not.' }]] }]),
        whole: response([refusalItem('I will not.')]),
      },
    },
    reads: { refusal: 'I will not.', text: '', finish: 'stop' },
    but: { messages: { refusal: '', text: 'I will not.', finish: 'content_filter' } }, // its refusal is a stop reason beside a text
  },
  {
    name: 'an answer that was blocked',
    said: {
      openai: { stream: chunks([{ content: 'Well' }], 'content_filter'), whole: completion({ content: 'Well' }, 'content_filter') },
      anthropic: { stream: events(block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Well' }), 'refusal'), whole: message([{ type: 'text', text: 'Well' }], 'refusal') },
      gemini: { stream: parts([[{ text: 'Well' }]], 'SAFETY'), whole: candidate([{ text: 'Well' }], 'SAFETY') },
      'openai-responses': {
        stream: ladder([{ item: textItem('Well'), deltas: [said('Well')] }], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
        whole: response([textItem('Well')], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }),
      },
    },
    reads: { text: 'Well', finish: 'content_filter' },
  },
  {
    name: 'an answer that met its limit',
    said: {
      openai: { stream: chunks([{ content: 'Well' }], 'length'), whole: completion({ content: 'Well' }, 'length') },
      anthropic: { stream: events(block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Well' }), 'max_tokens'), whole: message([{ type: 'text', text: 'Well' }], 'max_tokens') },
      gemini: { stream: parts([[{ text: 'Well' }]], 'MAX_TOKENS'), whole: candidate([{ text: 'Well' }], 'MAX_TOKENS') },
      'openai-responses': {
        stream: ladder([{ item: textItem('Well'), deltas: [said('Well')] }], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
        whole: response([textItem('Well')], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
      },
    },
    reads: { text: 'Well', finish: 'length' },
  },
  {
    name: 'a stop sequence that was met',
    said: {
      anthropic: {
        stream: [anthropic.sseHead(), anthropic.start(), ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Well' }), anthropic.event({ type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' }, usage: { output_tokens: 3 } }), anthropic.stop, 'end'],
        whole: message([{ type: 'text', text: 'Well' }], 'stop_sequence', { stop_sequence: 'END' }),
      },
    },
    reads: { text: 'Well', finish: 'stop' },
    but: { messages: { stopSequence: 'END' } },
  },
  {
    name: 'log probabilities',
    ask: { 'chat.completions': { logprobs: true, top_logprobs: 1 }, responses: { include: ['message.output_text.logprobs'], top_logprobs: 1 } },
    said: {
      openai: {
        stream: [openai.sseHead(), openai.role(), openai.frame({ ...openai.chunk({ content: 'hi' }), choices: [{ index: 0, delta: { content: 'hi' }, logprobs: { content: [TOKEN], refusal: null }, finish_reason: null }] }), openai.finish(), openai.usage(), openai.DONE, 'end'],
        whole: completion({ content: 'hi' }, 'stop', { logprobs: { content: [TOKEN], refusal: null } }),
      },
      gemini: {
        stream: parts([[{ text: 'hi' }]], 'STOP', logprobsResult()),
        whole: candidate([{ text: 'hi' }], 'STOP', logprobsResult()),
      },
      'openai-responses': {
        stream: ladder([{ item: textItem('hi', { logprobs: [TOKEN] }), deltas: [['output_text.delta', { delta: 'hi', logprobs: [TOKEN] }]] }]),
        whole: response([textItem('hi', { logprobs: [TOKEN] })]),
      },
    },
    reads: { text: 'hi', logprobs: [{ token: 'hi', logprob: -0.1 }] },
  },
  {
    name: 'tokens from the cache, and of reasoning',
    said: {
      openai: {
        stream: chunks([{ content: 'hi' }], 'stop', openai.frame({ ...openai.IDENTITY, object: 'chat.completion.chunk', choices: [], usage: openaiUsage() })),
        whole: { ...completion({ content: 'hi' }, 'stop'), usage: openaiUsage() },
      },
      anthropic: {
        stream: [anthropic.sseHead(), anthropic.event({ type: 'message_start', message: { ...anthropic.message(''), content: [], stop_reason: null, usage: { ...anthropicUsage(), output_tokens: 1 } } }), ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'hi' }), anthropic.event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: anthropicUsage() }), anthropic.stop, 'end'],
        whole: message([{ type: 'text', text: 'hi' }], 'end_turn', { usage: anthropicUsage() }),
      },
      gemini: {
        stream: [gemini.sseHead(), gemini.text('hi'), gemini.frame(gemini.candidate(null, { finishReason: 'STOP' }, geminiUsage())), 'end'],
        whole: gemini.candidate([{ text: 'hi' }], { finishReason: 'STOP' }, geminiUsage()),
      },
      'openai-responses': { stream: ladder([{ item: textItem('hi'), deltas: [said('hi')] }], { usage: responsesUsage() }), whole: response([textItem('hi')], { usage: responsesUsage() }) },
    },
    reads: { text: 'hi', usage: { prompt: 100, completion: 30, cached: 60, reasoning: 20 } },
  },
  {
    name: 'citations of the web',
    said: {
      openai: {
        stream: chunks([{ content: 'Cited. ' }, { annotations: [{ type: 'url_citation', url_citation: { ...CITED, start_index: 0, end_index: 7 } }] }], 'stop'),
        whole: completion({ content: 'Cited. ', annotations: [{ type: 'url_citation', url_citation: { ...CITED, start_index: 0, end_index: 7 } }] }, 'stop'),
      },
      anthropic: {
        stream: events(block(0, { type: 'text', text: '', citations: [] }, { type: 'citations_delta', citation: WEB_LOCATION }, { type: 'text_delta', text: 'Cited. ' })),
        whole: message([{ type: 'text', text: 'Cited. ', citations: [WEB_LOCATION] }]),
      },
      gemini: { stream: parts([[{ text: 'Cited. ' }]], 'STOP', GROUNDED), whole: candidate([{ text: 'Cited. ' }], 'STOP', GROUNDED) },
      'openai-responses': {
        stream: ladder([{ item: textItem('Cited. ', { annotations: [URL_CITATION] }), deltas: [said('Cited. '), ['output_text.annotation.added', { annotation_index: 0, annotation: URL_CITATION }]] }]),
        whole: response([textItem('Cited. ', { annotations: [URL_CITATION] })]),
      },
    },
    reads: { text: 'Cited. ', citations: [CITED] },
  },
];

function reasoningItem(summary: string, encrypted: string) {
  return { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: summary }], encrypted_content: encrypted };
}
function refusalItem(refusal: string) {
  return { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [{ type: 'refusal', refusal }] };
}
function logprobsResult() {
  return { logprobsResult: { chosenCandidates: [{ token: 'hi', logProbability: -0.1 }], topCandidates: [{ candidates: [{ token: 'hi', logProbability: -0.1 }] }] } };
}
function openaiUsage() {
  return { prompt_tokens: 100, completion_tokens: 30, total_tokens: 130, prompt_tokens_details: { cached_tokens: 60 }, completion_tokens_details: { reasoning_tokens: 20 } };
}
function anthropicUsage() {
  return { input_tokens: 40, cache_read_input_tokens: 60, cache_creation_input_tokens: 0, output_tokens: 30, output_tokens_details: { thinking_tokens: 20 } };
}
function geminiUsage() {
  return { usageMetadata: { promptTokenCount: 100, cachedContentTokenCount: 60, candidatesTokenCount: 10, thoughtsTokenCount: 20, totalTokenCount: 130 } };
}
function responsesUsage() {
  return { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 30, output_tokens_details: { reasoning_tokens: 20 }, total_tokens: 130 };
}
