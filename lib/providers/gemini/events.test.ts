import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type StreamEvent } from '../../wire';
import { gemini } from '.';

type Json = Record<string, unknown>;
const candidate = (parts: unknown, rest: Json = {}) => ({ candidates: [{ content: { parts, role: 'model' }, ...rest }] });
const readAll = (...values: unknown[]) => {
  const reader = gemini.streamReader();
  return values.flatMap((value) => reader.read(typeof value === 'string' ? value : JSON.stringify(value), '').events).filter(({ type }) => type !== 'choice' && type !== 'identity');
};
const of = <Type extends StreamEvent['type']>(type: Type, events: StreamEvent[]) => events.filter((event): event is Extract<StreamEvent, { type: Type }> => event.type === type);
const tool = (index: number, id: unknown, name: string | null, args: string) => ({ type: 'tool_call', choice: 0, index, id, name, arguments: args });
const MADE_UP = expect.stringMatching(/^call_[0-9a-f]{32}$/);

describe('parts', () => {
  it('are text, thoughts, and signatures of either', () => {
    expect(readAll(candidate([{ text: 'hm', thought: true, thoughtSignature: 'S1' }, { text: 'Hi' }, { text: '', thoughtSignature: 'S2' }]))).toEqual([
      { type: 'reasoning', choice: 0, text: 'hm' },
      { type: 'signature', choice: 0, format: 'google-gemini-v1', kind: 'signature', data: 'S1', tool: null },
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'signature', choice: 0, format: 'google-gemini-v1', kind: 'encrypted', data: 'S2', tool: null },
    ]);
  });

  it.each(['inlineData', 'fileData', 'executableCode', 'codeExecutionResult'])('%s is named as dropped', (kind) => {
    expect(readAll(candidate([{ [kind]: { data: 'x' } }]))).toEqual([{ type: 'dropped', what: kind }]);
    expect(readAll(candidate([{ fromTheFuture: 1 }]))).toEqual([{ type: 'dropped', what: 'part of an unknown kind' }]);
  });

  it('that are empty or missing are nothing', () => {
    expect(readAll(candidate([{ text: '' }]), candidate([]), candidate(null), { candidates: [{}] }, { candidates: [] }, { candidates: [{ content: null }] })).toEqual([]);
  });

  it('of several candidates are told apart, and zero is the index that is left out', () => {
    expect(readAll({ candidates: [{ content: { parts: [{ text: 'a' }] } }, { index: 1, content: { parts: [{ text: 'b' }] } }] })).toEqual([
      { type: 'text', choice: 0, text: 'a' },
      { type: 'text', choice: 1, text: 'b' },
    ]);
  });
});

describe('function calls', () => {
  it('come whole, with an id of our own where there is none, and with their signatures', () => {
    const events = readAll(candidate([{ functionCall: { name: 'f', args: { a: [1] } }, thoughtSignature: 'S' }, { functionCall: { id: 'x', name: 'g' } }], { finishReason: 'STOP' }));
    expect(events).toEqual([
      tool(0, MADE_UP, 'f', '{"a":[1]}'),
      { type: 'signature', choice: 0, format: 'google-gemini-v1', kind: 'signature', data: 'S', tool: 0 },
      tool(1, 'x', 'g', '{}'),
      { type: 'finish', choice: 0, reason: 'tool_calls', native: 'STOP', stopSequence: null },
    ]);
  });

  it('made earlier make STOP their end', () => {
    expect(of('finish', readAll(candidate([{ functionCall: { name: 'f' } }]), candidate([{ text: '' }], { finishReason: 'STOP' })))).toMatchObject([{ reason: 'tool_calls', native: 'STOP' }]);
    expect(of('finish', readAll(candidate([{ functionCall: { name: 'f' } }]), candidate([], { finishReason: 'MAX_TOKENS' })))).toMatchObject([{ reason: 'length' }]);
  });

  it('made after a STOP that was not the end make it the end of a call', () => {
    expect(of('finish', readAll(candidate([{ text: 'x' }], { finishReason: 'STOP' }), candidate([{ functionCall: { name: 'f' } }])))).toMatchObject([{ reason: 'stop' }, { reason: 'tool_calls', native: 'STOP' }]);
  });

  const piece = (jsonPath: string, value: Json, rest: Json = { willContinue: true }) => candidate([{ functionCall: { partialArgs: [{ jsonPath, ...value }], ...rest } }]);
  const collected = (...pieces: unknown[]) => readAll(candidate([{ functionCall: { name: 'f', willContinue: true } }]), ...pieces, candidate([{ functionCall: {} }]));

  it('that come in pieces are shown at once and have their arguments at the end', () => {
    expect(collected(piece('$.a', { stringValue: 'x', willContinue: true }), piece('$.a', { stringValue: 'y' }), piece('$.b[0]["c d"]', { boolValue: false }), piece("$.b[1]['it\\'s']", { nullValue: 'NULL_VALUE' }), piece('$.n', { numberValue: 0 }))).toEqual([
      tool(0, MADE_UP, 'f', ''),
      tool(0, null, null, '{"a":"xy","b":[{"c d":false},{"it\'s":null}],"n":0}'),
    ]);
  });

  it('a string is gone on with only where it was said to', () => {
    expect(collected(piece('$.a', { stringValue: 'x' }), piece('$.a', { stringValue: 'y' }))[1]).toMatchObject({ arguments: '{"a":"y"}' });
  });

  it.each([
    ['another call', candidate([{ functionCall: { name: 'g' } }])],
    ['text', candidate([{ text: 'x' }])],
    ['a finish reason', candidate([], { finishReason: 'STOP' })],
  ])('in pieces end with %s, if nothing else says so', (_, next) => {
    expect(of('tool_call', readAll(candidate([{ functionCall: { name: 'f', willContinue: true, partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] } }]), next)).slice(0, 2)).toEqual([tool(0, MADE_UP, 'f', ''), tool(0, null, null, '{"a":1}')]);
  });

  it('in pieces keep any name, also those that mean something to JavaScript', () => {
    const events = collected(piece('$.__proto__.polluted', { stringValue: 'yes' }), piece('$.constructor.prototype.x', { numberValue: 1 }));
    expect(events[1]).toMatchObject({ arguments: '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"x":1}}}' });
    expect(({} as Json).polluted).toBeUndefined();
  });

  it.each([
    ['no call was begun', [candidate([{ functionCall: { partialArgs: [] } }])]],
    ['a call is no object', [candidate([{ functionCall: 'x' }])]],
    ['arguments are no object', [candidate([{ functionCall: { name: 'f', args: [1] } }])]],
    ['pieces are no list', [candidate([{ functionCall: { name: 'f', partialArgs: {} } }])]],
    ['a piece is no object', [candidate([{ functionCall: { name: 'f', partialArgs: [7] } }])]],
    ['a path leads nowhere', [candidate([{ functionCall: { name: 'f', partialArgs: [{ jsonPath: 'a', numberValue: 1 }] } }])]],
    ['a path is only the root', [candidate([{ functionCall: { name: 'f', partialArgs: [{ jsonPath: '$', numberValue: 1 }] } }])]],
    ['a list has holes', [candidate([{ functionCall: { name: 'f', partialArgs: [{ jsonPath: '$.a[4000000]', numberValue: 1 }] } }])]],
    ['a path goes through a number', [candidate([{ functionCall: { name: 'f', partialArgs: [{ jsonPath: '$.a', numberValue: 1 }, { jsonPath: '$.a.b', numberValue: 1 }] } }])]],
    ['a path is deep', [candidate([{ functionCall: { name: 'f', partialArgs: [{ jsonPath: `$${'.a'.repeat(65)}`, numberValue: 1 }] } }])]],
  ])('are malformed where %s', (_, values) => {
    expect(readAll(...values).at(-1)?.type).toBe('malformed');
  });

  it('with arguments beyond any stack are malformed', () => {
    const deep = '[{"a":'.repeat(50_000) + '1' + '}]'.repeat(50_000);
    expect(readAll(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"x":${deep}}}}]}}]}`)).toMatchObject([{ type: 'malformed' }]);
  });
});

describe('endings', () => {
  const ENDS: [string, string, string | null][] = [
    ['STOP', 'stop', null],
    ['MAX_TOKENS', 'length', 'MAX_TOKENS'],
    ['CONTINUATION', 'length', 'CONTINUATION'],
    ...['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE', 'IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'].map((word): [string, string, string] => [word, 'content_filter', word]),
  ];
  it.each(ENDS)('%s is %s', (word, reason, native) => {
    expect(readAll(candidate([{ text: 'x' }], { finishReason: word })).at(-1)).toEqual({ type: 'finish', choice: 0, reason, native, stopSequence: null });
  });

  const FAILURES: unknown[] = ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE', 'MISSING_THOUGHT_SIGNATURE', 'NO_IMAGE', 'IMAGE_OTHER', 'OTHER', 'FINISH_REASON_UNSPECIFIED', 'ESCALATION', 'BANANA', 'constructor', 7, {}, { toString: 1 }];
  it.each(FAILURES.map((word) => [word]))('%j ends no answer: an error, and never a stop', (word) => {
    const events = readAll(candidate([{ text: 'x' }], { finishReason: word }));
    expect(of('finish', events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'error', failure: { class: 'server_error', upstreamStatus: null } });
    expect(gemini.streamReader().read(JSON.stringify(candidate([], { finishReason: word })), '').data).toBeNull();
  });

  it.each([null, ''])('%j is none', (word) => {
    expect(readAll(candidate([{ text: 'x' }], { finishReason: word }))).toEqual([{ type: 'text', choice: 0, text: 'x' }]);
  });

  it('a blocked prompt ends in content_filter; feedback without a reason ends nothing', () => {
    expect(of('finish', readAll({ promptFeedback: { blockReason: 'SAFETY' } }))).toEqual([{ type: 'finish', choice: 0, reason: 'content_filter', native: 'blockReason:SAFETY', stopSequence: null }]);
    expect(readAll({ promptFeedback: { safetyRatings: [] } })).toEqual([]);
  });
});

describe('usage', () => {
  const usageOf = (...values: unknown[]) => of('usage', readAll(...values)).map(({ usage }) => usage);
  const meta = (usageMetadata: Json, rest: Json = {}) => ({ ...candidate([{ text: 'x' }], rest), usageMetadata });

  it('is cumulative: per field the last one holds, and what is missing at the end is zero', () => {
    expect(usageOf(meta({ promptTokenCount: 7, totalTokenCount: 7 }), meta({ promptTokenCount: 6, candidatesTokenCount: 3 }), meta({ totalTokenCount: 9 }, { finishReason: 'STOP' }))).toEqual([
      { promptTokens: 7, completionTokens: null, totalTokens: 7, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
      { promptTokens: 6, completionTokens: 3, totalTokens: 7, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
      { promptTokens: 6, completionTokens: 3, totalTokens: 9, cachedTokens: 0, cacheWriteTokens: null, reasoningTokens: 0 },
    ]);
  });

  it('counts thoughts as completion and the results of built-in tools as prompt', () => {
    expect(usageOf(meta({ promptTokenCount: 10, toolUsePromptTokenCount: 5, candidatesTokenCount: 3, thoughtsTokenCount: 4, cachedContentTokenCount: 8, totalTokenCount: 22 }))).toEqual([
      { promptTokens: 15, completionTokens: 7, totalTokens: 22, cachedTokens: 8, cacheWriteTokens: null, reasoningTokens: 4 },
    ]);
  });

  it('that came before the end is told again at the end', () => {
    expect(usageOf(meta({ promptTokenCount: 7, totalTokenCount: 10 }), candidate([], { finishReason: 'STOP' })).at(-1)).toMatchObject({ completionTokens: 3, reasoningTokens: 0 });
  });

  it('without a number is none', () => {
    expect(usageOf(meta({ trafficType: 'ON_DEMAND' }), meta({ promptTokenCount: 'many', totalTokenCount: -1, candidatesTokenCount: null }, { finishReason: 'STOP' }))).toEqual([]);
  });
});

describe('sources', () => {
  const grounded = (text: string, groundingMetadata: Json) => of('annotation', readAll(candidate([{ text }], { finishReason: 'STOP', groundingMetadata }))).map(({ annotation }) => annotation);
  const web = (uri: string) => ({ web: { uri, title: `title of ${uri}` } });

  it('of grounding become annotations at their places', () => {
    expect(grounded('Hello world', { groundingChunks: [web('https://a'), web('https://b')], groundingSupports: [{ segment: { endIndex: 5 }, groundingChunkIndices: [0, 1] }, { segment: { startIndex: 6, endIndex: 11 }, groundingChunkIndices: [1] }] })).toEqual([
      { url: 'https://a', title: 'title of https://a', startIndex: 0, endIndex: 5 },
      { url: 'https://b', title: 'title of https://b', startIndex: 0, endIndex: 5 },
      { url: 'https://b', title: 'title of https://b', startIndex: 6, endIndex: 11 },
    ]);
  });

  const support = (segment: Json) => ({ groundingChunks: [web('https://a')], groundingSupports: [{ segment, groundingChunkIndices: [0] }] });
  const spans = (events: StreamEvent[]) => of('annotation', events).map(({ annotation }) => [annotation.startIndex, annotation.endIndex]);
  const bytesOf = (whole: string, words: string) => {
    const startIndex = Buffer.byteLength(whole.slice(0, whole.indexOf(words)));
    return { startIndex, endIndex: startIndex + Buffer.byteLength(words) };
  };

  it('are counted in bytes by Google, in characters by clients', () => {
    const text = 'Žluťoučký kůň 🐎 úpěl. 漢字 end';
    for (const words of ['Žluťoučký', 'kůň', '🐎 úpěl.', '漢字', 'end']) {
      const [at] = spans(readAll(candidate([{ text }], { finishReason: 'STOP', groundingMetadata: support(bytesOf(text, words)) })));
      expect(text.slice(at![0]!, at![1]!)).toBe(words);
    }
  });

  it('lie in the text that a stream has sent so far, however it was cut', () => {
    const text = `${'plain words, then '.repeat(90)}Žluťoučký 🐎 ${'漢字'.repeat(700)} and ${'more plain words '.repeat(90)}kůň`;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }), fc.constantFrom('words, then Žluťoučký', '🐎 漢', '字 and more', 'kůň'), (lengths, words) => {
        const points = [...text];
        const frames: string[] = [];
        for (let at = 0, step = 0; at < points.length; step++) {
          const length = lengths[step % lengths.length]!;
          frames.push(points.slice(at, at + length).join(''));
          at += length;
        }
        const [at] = spans(readAll(...frames.map((piece) => candidate([{ text: piece }])), candidate([], { finishReason: 'STOP', citationMetadata: { citationSources: [{ ...bytesOf(text, words), uri: 'https://a' }] } })));
        expect(text.slice(at![0]!, at![1]!)).toBe(words);
      }),
      { numRuns: 50 },
    );
  });

  it('are told by part: thoughts are none of the text', () => {
    const at = (segment: Json) => spans(readAll(candidate([{ text: 'hm, ', thought: true }]), candidate([{ text: 'ještě', thought: true }]), candidate([{ text: 'kůň ' }]), candidate([{ text: 'úpěl' }], { finishReason: 'STOP', groundingMetadata: support(segment) })));
    expect(at({ ...bytesOf('kůň úpěl', 'úpěl'), partIndex: 1 })).toEqual([[4, 8]]);
    expect(at(bytesOf('kůň úpěl', 'úpěl'))).toEqual([[4, 8]]);
    expect(at({ endIndex: 5, partIndex: 7 })).toEqual([[null, null]]);
    expect(spans(readAll(candidate([{ text: 'kůň ' }, { text: 'úpěl' }], { finishReason: 'STOP', groundingMetadata: support({ endIndex: 6, partIndex: 1 }) })))).toEqual([[4, 8]]);
  });

  it('are left out where they are none: within a character, beyond the text, the wrong way round', () => {
    for (const segment of [{ endIndex: 1 }, { startIndex: 1, endIndex: 2 }, { endIndex: 99 }, { startIndex: 4, endIndex: 2 }, { startIndex: -1, endIndex: 2 }]) {
      expect(grounded('Žlu', support(segment))).toEqual([{ url: 'https://a', title: 'title of https://a', startIndex: null, endIndex: null }]);
    }
  });

  it('cost little to find, and only so much text is kept for it', () => {
    const reader = gemini.streamReader();
    const piece = JSON.stringify(candidate([{ text: '漢'.repeat(50_000) }]));
    const last = JSON.stringify(candidate([], { citationMetadata: { citationSources: Array.from({ length: 999 }, (_, at) => ({ startIndex: at * 3_000, endIndex: at * 3_000 + 3, uri: 'https://a' })) } }));
    const begun = performance.now();
    for (let at = 0; at < 40; at++) reader.read(piece, '');
    const events = Array.from({ length: 20 }, () => reader.read(last, '').events).flat();
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(spans(events).filter(([start, end]) => typeof start === 'number' && end === start + 1)).toHaveLength(999);
    expect(spans(reader.read(JSON.stringify(candidate([{ text: 'x' }], { citationMetadata: { citationSources: [{ startIndex: 5_900_000, endIndex: 5_900_003, uri: 'https://b' }] } })), '').events)).toEqual([[null, null]]);
  });

  it('are told once, however often they are repeated, and without supports too', () => {
    const metadata = { groundingChunks: [web('https://a')] };
    expect(of('annotation', readAll(candidate([], { groundingMetadata: metadata }), candidate([], { groundingMetadata: metadata })))).toHaveLength(1);
  });

  it('of citations become annotations; what has no address is dropped by name', () => {
    const events = readAll(candidate([{ text: 'ten letters' }], { citationMetadata: { citationSources: [{ startIndex: 2, endIndex: 9, uri: 'https://a' }, { license: 'mit' }] }, groundingMetadata: { groundingChunks: [{ retrievedContext: { text: 'x' } }] } }));
    expect(of('annotation', events)).toMatchObject([{ annotation: { url: 'https://a', startIndex: 2, endIndex: 9 } }]);
    expect(of('dropped', events).map(({ what }) => what)).toEqual(['groundingMetadata', 'citationMetadata']);
  });
});

test('log probabilities come before the text that they are of, in OpenAI’s shape', () => {
  const logprobsResult = { chosenCandidates: [{ token: 'é', logProbability: -0.5 }, { token: '!' }], topCandidates: [{ candidates: [{ token: 'é', logProbability: -0.5 }] }] };
  expect(readAll(candidate([{ text: 'é!' }], { logprobsResult }))).toEqual([
    {
      type: 'logprobs',
      choice: 0,
      logprobs: {
        content: [
          { token: 'é', logprob: -0.5, bytes: [195, 169], top_logprobs: [{ token: 'é', logprob: -0.5, bytes: [195, 169] }] },
          { token: '!', logprob: 0, bytes: [33], top_logprobs: [] },
        ],
        refusal: null,
      },
    },
    { type: 'text', choice: 0, text: 'é!' },
  ]);
});

test('the first frame with an id identifies the answer', () => {
  const reader = gemini.streamReader();
  const identities = ['', 'r1', 'r2'].flatMap((responseId) => reader.read(JSON.stringify({ ...candidate([]), responseId, modelVersion: 'gemini-x' }), '').events).filter(({ type }) => type === 'identity');
  expect(identities).toEqual([{ type: 'identity', id: 'r1', created: 0, model: 'gemini-x' }]);
});

describe('frames that are no answer', () => {
  it.each([
    ['{', 'not JSON'],
    ['hello', 'not JSON'],
    ['null', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['{}', 'no generateContent response'],
    ['{"choices":[]}', 'no generateContent response'],
    ['{"candidates":"x"}', 'no generateContent response'],
    ['{"candidates":[7]}', 'not an object'],
    ['{"candidates":[{"index":-1}]}', 'index'],
    ['{"candidates":[{"index":1.5}]}', 'index'],
    ['{"candidates":[{"index":1000000000}]}', 'index'],
    ['{"candidates":[{"content":"x"}]}', 'not an object'],
    ['{"candidates":[{"content":{"parts":{}}}]}', 'no list'],
    ['{"candidates":[{"content":{"parts":[7]}}]}', 'not an object'],
    ['{"candidates":[{"content":{"parts":[{"text":7}]}}]}', 'no string'],
  ])('%s is malformed', (data, detail) => {
    expect(gemini.streamReader().read(data, '')).toEqual({ data: null, name: '', events: [{ type: 'malformed', detail: expect.stringContaining(detail) }] });
  });

  it.each([
    ['{"error":{"code":500,"message":"x","status":"INTERNAL"}}', 'server_error'],
    ['[{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}]', 'overloaded'],
    ['{"candidates":[],"error":{"code":504,"message":"x","status":"DEADLINE_EXCEEDED"}}', 'timeout'],
    ['{"error":"x"}', 'server_error'],
  ])('%s is an error', (data, cls) => {
    expect(gemini.streamReader().read(data, '')).toMatchObject({ data: null, events: [{ type: 'error', failure: { class: cls } }] });
  });

  it('a terminator that some proxy added is one', () => {
    expect(gemini.streamReader().read('[DONE]', '').events).toEqual([{ type: 'terminator' }]);
  });
});

describe('lines outside the framing', () => {
  const lines = (text: string) => {
    const reader = gemini.streamReader();
    const frames = [...text.split('\n').map((line) => reader.stray(line)), reader.end!()];
    return frames.flatMap((frame) => frame?.events ?? []);
  };
  const ERROR = { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE', details: [{ retryDelay: '5s' }] } };

  it.each([
    ['an error over many lines', JSON.stringify(ERROR, null, 2)],
    ['an error on one line', JSON.stringify(ERROR)],
    ['a list with an error in it', JSON.stringify([ERROR], null, 2)],
  ])('%s is one error', (_, text) => {
    expect(lines(text)).toMatchObject([{ type: 'error', failure: { class: 'overloaded', upstreamStatus: 503, retryAfterMs: 5_000 } }]);
  });

  it('an error that is itself cut off is still one, wherever it is cut', () => {
    const text = JSON.stringify(ERROR, null, 2);
    for (let at = text.indexOf('"error"') + 7; at < text.length; at++) {
      expect(lines(text.slice(0, at)), text.slice(0, at)).toMatchObject([{ type: 'error' }]);
    }
    expect(lines(text.slice(0, text.indexOf('details')))).toMatchObject([{ failure: { class: 'overloaded', upstreamStatus: 503 } }]);
  });

  it('JSON that is no error, a page and a sentence are malformed, once each', () => {
    for (const text of ['{"a":1}', '<html>\n<body>\n</body>', 'upstream connect error\nor disconnect', '{"a":', `{"a":[${'\n[]\n,'.repeat(400)}`]) {
      expect(lines(text).map(({ type }) => type), text.slice(0, 20)).toEqual(['malformed']);
    }
  });
});

describe('whatever comes', () => {
  const part = fc.oneof(
    fc.record({ text: fc.string() }),
    fc.record({ text: fc.string(), thought: fc.boolean(), thoughtSignature: fc.string() }, { requiredKeys: [] }),
    fc.record({ functionCall: fc.record({ name: fc.string(), id: fc.string(), args: fc.dictionary(fc.string(), fc.jsonValue()), willContinue: fc.boolean(), partialArgs: fc.array(fc.record({ jsonPath: fc.oneof(fc.string(), fc.constantFrom('$.a', '$.a[0]', '$.a[0].b', "$['c']", '$.a.b.c')), stringValue: fc.string(), numberValue: fc.double(), willContinue: fc.boolean() }, { requiredKeys: [] })) }, { requiredKeys: [] }) }),
    fc.jsonValue(),
    fc.constantFrom({ toString: 1 }, { text: { toString: 1 } }, { functionCall: { name: { valueOf: 1 } } }),
  );
  const almost = fc.record(
    {
      candidates: fc.oneof(fc.jsonValue(), fc.array(fc.record({ index: fc.oneof(fc.nat(3), fc.jsonValue()), content: fc.oneof(fc.record({ parts: fc.oneof(fc.array(part), fc.jsonValue()) }), fc.jsonValue()), finishReason: fc.oneof(fc.constantFrom('STOP', 'MAX_TOKENS', 'OTHER'), fc.jsonValue()), groundingMetadata: fc.jsonValue(), citationMetadata: fc.jsonValue(), logprobsResult: fc.jsonValue() }, { requiredKeys: [] }))),
      promptFeedback: fc.jsonValue(),
      usageMetadata: fc.oneof(fc.dictionary(fc.constantFrom('promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'), fc.jsonValue()), fc.jsonValue()),
      responseId: fc.jsonValue(),
      modelVersion: fc.jsonValue(),
      error: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const data = fc.oneof(fc.jsonValue(), almost).map((value) => JSON.stringify(value));

  it('no stream makes the reader throw, or a frame that could not be written', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(data, fc.string()), { maxLength: 12 }), (datas) => {
        const reader = gemini.streamReader();
        for (const each of datas) {
          const { events } = reader.read(each, '');
          for (const event of events) {
            if (event.type === 'text' || event.type === 'reasoning') expect(event.text).not.toBe('');
            if (event.type === 'tool_call' && event.arguments !== '') JSON.parse(event.arguments);
          }
          JSON.stringify(events);
        }
        reader.end!();
      }),
      { numRuns: 400 },
    );
  });

  it('no body and no error makes it throw', () => {
    fc.assert(
      fc.property(fc.oneof(data, fc.string()), fc.integer({ min: 300, max: 599 }), (body, status) => {
        gemini.wholeBody(body, 'chat');
        gemini.refusal(status, {}, body);
        gemini.streamReader().stray(body);
        gemini.listedModels(JSON.parse(JSON.stringify(body)));
      }),
      { numRuns: 400 },
    );
  });
});
