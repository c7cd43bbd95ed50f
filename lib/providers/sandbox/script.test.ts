import { describe, expect, it } from 'vitest';
import { parseScript, STEPS, type Ending, type Step } from './script';

const script = (name: string) => {
  const parsed = parseScript(name);
  if (!parsed.ok) throw new Error(`${parsed.step}: ${parsed.message}`);
  return parsed.script;
};
const refusal = (name: string) => {
  const parsed = parseScript(name);
  if (parsed.ok) throw new Error(`“${name}” was accepted`);
  return parsed;
};

describe('a script', () => {
  it.each<[string, Step[]]>([
    ['echo', [{ do: 'echo' }]],
    ['text:20', [{ do: 'text', tokens: 20 }]],
    ['text:0', [{ do: 'text', tokens: 0 }]],
    ['reasoning:3,text:2', [{ do: 'reasoning', tokens: 3 }, { do: 'text', tokens: 2 }]],
    ['tool:look_up', [{ do: 'tool', name: 'look_up', broken: false }]],
    ['broken-tool:x', [{ do: 'tool', name: 'x', broken: true }]],
    ['refusal', [{ do: 'refusal' }]],
    ['slow:500ms', [{ do: 'pace', ms: 500 }, { do: 'text', tokens: 5 }]],
    ['wait:2s,text:1', [{ do: 'wait', ms: 2000 }, { do: 'text', tokens: 1 }]],
    ['headers , role , text:1', [{ do: 'headers' }, { do: 'role' }, { do: 'text', tokens: 1 }]],
    ['preamble:3,comment:2,text:1', [{ do: 'preamble', frames: 3 }, { do: 'comment', lines: 2 }, { do: 'text', tokens: 1 }]],
    ['line:1000,text:1', [{ do: 'line', bytes: 1000 }, { do: 'text', tokens: 1 }]],
    ['text:1,malformed,text:1', [{ do: 'text', tokens: 1 }, { do: 'malformed', frames: 1 }, { do: 'text', tokens: 1 }]],
    ['finish:length', [{ do: 'text', tokens: 5 }, { do: 'finish', reason: 'length' }]],
  ])('%s is read into its steps', (name, steps) => {
    expect(script(name).steps).toEqual(steps);
  });

  it.each<[string, Ending]>([
    ['status:503', { how: 'status', status: 503, code: null, retryAfterS: null }],
    ['status:429,retry-after:2', { how: 'status', status: 429, code: null, retryAfterS: 2 }],
    ['status:400,code:context_length_exceeded', { how: 'status', status: 400, code: 'context_length_exceeded', retryAfterS: null }],
    ['text:40,error:429', { how: 'error', status: 429, code: null }],
    ['headers,stall', { how: 'stall' }],
    ['role,reset', { how: 'reset' }],
    ['text:2,close', { how: 'close' }],
    ['text:3,finish,reset', { how: 'reset' }],
    ['close-before-headers', { how: 'close-before-headers' }],
    ['html', { how: 'html' }],
    ['json-error', { how: 'json-error' }],
    ['empty', { how: 'empty' }],
    ['done-only', { how: 'done-only' }],
    ['text:1', { how: 'complete' }],
  ])('%s is read into its ending', (name, ending) => {
    expect(script(name).ending).toEqual(ending);
  });

  it('keeps options wherever they stand', () => {
    expect(script('no-finish,text:1,no-done,no-usage,tag:a1')).toMatchObject({ noFinish: true, noDone: true, usage: 'none', tag: 'a1' });
    expect(script('text:1,usage-late:250ms')).toMatchObject({ usage: 'frame', usageDelayMs: 250 });
    expect(script('reset,tag:b').ending.how).toBe('reset');
  });

  it('adds an ordinary text to a script that says nothing and does not fail', () => {
    for (const name of ['no-finish', 'no-done', 'slow:1ms', 'no-usage', 'headers', 'role', 'comment:2']) expect(script(name).steps.at(-1)).toEqual({ do: 'text', tokens: 5 });
    expect(script('role,reset').steps).toEqual([{ do: 'role' }]);
  });

  it.each<[string, string, RegExp]>([
    ['', '', /missing/],
    ['text:2,,reset', '', /missing/],
    ['gpt-4o', 'gpt-4o', /no step “gpt-4o”.*echo, text/],
    ['__proto__', '__proto__', /no step/],
    ['constructor:2', 'constructor:2', /no step/],
    ['text', 'text', /whole number.*text:N/],
    ['text:-1', 'text:-1', /whole number/],
    ['text:1e9', 'text:1e9', /whole number/],
    ['text:10001', 'text:10001', /10000/],
    ['reset:now', 'reset:now', /no argument/],
    ['slow:fast', 'slow:fast', /time.*slow:500ms/],
    ['wait:61s', 'wait:61s', /60s/],
    ['status:200', 'status:200', /300 to 599/],
    ['status:teapot', 'status:teapot', /300 to 599/],
    ['text:2,status:503', 'status:503', /already sent the headers/],
    ['headers,html', 'html', /already sent the headers/],
    ['reset,text:2', 'text:2', /nothing can follow/],
    ['stall,reset', 'reset', /nothing can follow/],
    ['finish,text:1', 'text:1', /no content can follow finish/],
    ['finish,finish', 'finish', /already finished/],
    ['finish:done', 'finish:done', /one of stop/],
    ['text:1,retry-after:2', 'retry-after:2', /after a status/],
    ['text:1,code:x', 'code:x', /after a status or an error/],
    ['tool:a b', 'tool:a b', /letters/],
    ['line:10', 'line:10', /300/],
    ['line:99999999', 'line:99999999', /17825792/],
  ])('“%s” is refused with the step “%s” named', (name, step, message) => {
    expect(refusal(name)).toMatchObject({ step, message: expect.stringMatching(message) });
  });

  it('is bounded as a whole: tokens, time, bytes, empty frames and length of the name', () => {
    expect(refusal('text:6000,reasoning:6000').message).toMatch(/12000 tokens/);
    expect(refusal('slow:500ms,text:121').message).toMatch(/60500 ms/);
    expect(refusal('line:10000000,line:10000000').message).toMatch(/20000000 bytes/);
    expect(refusal('preamble:1500,comment:600').message).toMatch(/2100 empty/);
    expect(refusal('a'.repeat(401)).message).toMatch(/400 characters/);
  });

  it('knows every step by the form and the sentence that the docs show', () => {
    for (const [name, rule] of Object.entries(STEPS)) {
      expect(rule.form.startsWith(name)).toBe(true);
      expect(rule.does).toMatch(/\.$/);
    }
  });
});
