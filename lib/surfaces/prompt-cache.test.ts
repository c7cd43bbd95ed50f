import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changesOf, runPipeline, SAVERS } from '../savers';
import { scanTopLevel, spliceStrings, type TextSlot } from '../wire';
import { chatSlots } from './chat-completions/slots';
import { messageSlots } from './messages/slots';
import { inputSlots } from './responses/slots';
import { withTexts } from './slots';

/**
 * A provider's prompt cache goes by the beginning of what it is sent. So of a conversation that grows, every turn must
 * begin with what the turn before it was, byte for byte, on every surface and with marks that move along.
 */

const TEXTS = ['plain', 'a \n\n\n\nb', '{ "a" : 1 }', '\x1b[31mred\x1b[0m', 'again and again\n'.repeat(30), 'x'.repeat(300), '  File "/site-packages/a.py", line 1\n'.repeat(3), 'QUJDRA0z'.repeat(80)];

interface Turn {
  text: string;
  role: 'user' | 'assistant' | 'tool';
  /** Reasoning or a signature. */
  reasons: boolean;
}

const turns = fc.array(fc.record({ text: fc.constantFrom(...TEXTS), role: fc.constantFrom('user', 'assistant', 'tool') as fc.Arbitrary<Turn['role']>, reasons: fc.boolean() }), { minLength: 2, maxLength: 10 });

type Body = Record<string, unknown>;
interface Api {
  slots(body: Body): TextSlot[];
  /** The conversation with a cache mark on its last message, where one is wanted. */
  body(turns: readonly Turn[], marked: boolean): Body;
  list: string;
}

const MARK = { cache_control: { type: 'ephemeral' } };

const APIS: Record<string, Api> = {
  'chat completions': {
    slots: chatSlots,
    list: 'messages',
    body: (list, marked) => ({
      messages: [
        { role: 'system', content: 'be \n\n\n\nbrief' },
        ...list.map(({ text, role, reasons }, at) => ({
          role,
          content: [{ type: 'text', text, ...(marked && at === list.length - 1 ? MARK : {}) }],
          ...(role === 'tool' ? { tool_call_id: `c${at}` } : {}),
          ...(role === 'assistant' && reasons ? { reasoning_content: 'hm' } : {}),
        })),
      ],
    }),
  },
  'the Messages API': {
    slots: messageSlots,
    list: 'messages',
    body: (list, marked) => ({
      system: [{ type: 'text', text: 'be \n\n\n\nbrief', ...MARK }],
      messages: list.map(({ text, role, reasons }, at) => {
        const mark = marked && at === list.length - 1 ? MARK : {};
        if (role === 'tool') return { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: text, ...mark }] };
        return { role, content: [...(role === 'assistant' && reasons ? [{ type: 'thinking', thinking: 'hm', signature: 's' }] : []), { type: 'text', text, ...mark }] };
      }),
    }),
  },
  'the Responses API': {
    slots: inputSlots,
    list: 'input',
    body: (list, marked) => ({
      instructions: 'be \n\n\n\nbrief',
      input: list.map(({ text, role }, at) => {
        if (role === 'tool') return { type: 'function_call_output', call_id: `c${at}`, output: text };
        return { role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text, ...(marked && at === list.length - 1 ? { prompt_cache_breakpoint: {} } : {}) }] };
      }),
    }),
  },
};

/** What is sent, as the engine makes it. */
function sent(api: Api, body: Body): Body {
  const json = JSON.stringify(body, null, 1);
  const slots = api.slots(body);
  const result = runPipeline(slots, { savers: SAVERS, now: () => 0, budgetMs: 50 });
  const made = spliceStrings(json, scanTopLevel(json), changesOf(slots, result))!;
  const parsed = withTexts(body, slots, result.texts);
  expect(JSON.parse(made.json)).toEqual(parsed);
  return parsed;
}

/** The first messages, without the marks, which are not part of what is cached. */
const prefix = (api: Api, body: Body, n: number): string =>
  JSON.stringify([body.system, body.instructions, (body[api.list] as unknown[]).slice(0, n)], (name, value: unknown) => (name === 'cache_control' || name === 'prompt_cache_breakpoint' ? undefined : value));

describe.each(Object.entries(APIS))('a conversation that grows, on %s', (_, api) => {
  /** An output of the Responses API carries no mark: a turn that ends with one has none at all. */
  const isMarked = (list: readonly Turn[]): boolean => api.list === 'messages' || list.at(-1)!.role !== 'tool';
  const send = (list: readonly Turn[], marked: boolean): Body => sent(api, api.body(list, marked));

  test.each([
    ['without marks', false],
    ['with a mark that moves along with its end', true],
  ])('%s: every turn begins with what the one before it was', (__, marked) => {
    fc.assert(
      fc.property(turns, (list) => {
        fc.pre(!marked || isMarked(list));
        const whole = send(list, marked);
        for (let upTo = 1; upTo < list.length; upTo++) {
          const turn = list.slice(0, upTo);
          if (marked && !isMarked(turn)) continue;
          const length = (api.body(turn, marked)[api.list] as unknown[]).length;
          expect(prefix(api, send(turn, marked), length)).toBe(prefix(api, whole, length));
        }
      }),
      { numRuns: 150 },
    );
  });

  test('what stands before a mark, and what reasons, is sent as it came', () => {
    fc.assert(
      fc.property(turns, fc.boolean(), (list, marked) => {
        const body = api.body(list, marked);
        const made = sent(api, body);
        const kept = (each: unknown, at: number) => expect((made[api.list] as unknown[])[at]).toEqual(each);
        const messages = body[api.list] as { reasoning_content?: string; content?: { type?: string }[] }[];
        messages.forEach((each, at) => {
          if (marked && isMarked(list)) kept(each, at);
          if (each.reasoning_content !== undefined || (Array.isArray(each.content) && each.content.some(({ type }) => type === 'thinking'))) kept(each, at);
        });
      }),
      { numRuns: 150 },
    );
  });
});

test('a mark on the whole request stands at its end: everything is sent as it came', () => {
  const messages = [{ role: 'user', content: 'one \n\n\n\ntwo' }];
  expect(messageSlots({ system: 'be \n\n\n\nbrief', messages, ...MARK }).map(({ locked }) => locked)).toEqual([true, true]);
  expect(messageSlots({ system: 'be \n\n\n\nbrief', messages }).map(({ locked }) => locked)).toEqual([false, false]);
});

describe('why a mark among the messages leaves the whole conversation alone', () => {
  const user = (text: string, marked = false) => ({ role: 'user', content: [{ type: 'text', text, ...(marked ? MARK : {}) }] });
  const reasoned = { role: 'assistant', content: 'a', reasoning_content: 'hm' };
  const spaced = 'one \n\n\n\ntwo';

  /** What would be sent if all up to the last message for which this holds were left alone, and the rest rewritten. */
  function sentUnder(leavesAlone: (message: object) => boolean, messages: object[]): unknown[] {
    const last = messages.findLastIndex(leavesAlone);
    const bare = JSON.parse(JSON.stringify({ messages }, (name, value: unknown) => (name === 'cache_control' ? undefined : value))) as Body;
    const slots = chatSlots(bare).map((slot) => ({ ...slot, locked: slot.locked || slot.message <= last }));
    return withTexts(bare, slots, runPipeline(slots, { savers: SAVERS, now: () => 0, budgetMs: 50 }).texts).messages as unknown[];
  }

  test('rewriting what stands behind the last mark changes what was sent, once the mark has moved on', () => {
    const isMarked = (message: object) => JSON.stringify(message).includes('cache_control');
    const first = sentUnder(isMarked, [user('x', true), user(spaced)]);
    const next = sentUnder(isMarked, [user('x'), user(spaced), user('y', true)]);
    expect(first[1]).toEqual(user('one\n\ntwo'));
    expect(next[1]).toEqual(user(spaced));
  });

  test('leaving alone all that stands before reasoning changes what was sent, once there is some', () => {
    const reasons = (message: object) => 'reasoning_content' in message;
    expect(sentUnder(reasons, [user(spaced)])[0]).toEqual(user('one\n\ntwo'));
    expect(sentUnder(reasons, [user(spaced), reasoned, user('y')])[0]).toEqual(user(spaced));
  });

  test('of all rules by which nothing before a mark changes, only the one that rewrites nothing keeps every beginning', () => {
    // A turn: so many messages, with the mark on one of them. A rule says of each turn which messages behind the mark are rewritten.
    const turnsUpTo = 4;
    const all = Array.from({ length: turnsUpTo }, (_, at) => at + 1).flatMap((length) => Array.from({ length }, (__, at) => ({ length, mark: at + 1 })));
    const free = all.flatMap(({ length, mark }) => Array.from({ length: length - mark }, (_, at) => ({ length, mark, message: mark + 1 + at })));
    expect(free).toHaveLength(10);
    for (let rule = 0; rule < 2 ** free.length; rule++) {
      const rewrites = (turn: { length: number; mark: number }, message: number) => (rule & (1 << free.findIndex((each) => each.length === turn.length && each.mark === turn.mark && each.message === message))) !== 0;
      const isRewritten = (turn: { length: number; mark: number }, message: number) => message > turn.mark && rewrites(turn, message);
      const messagesOf = ({ length }: { length: number }) => Array.from({ length }, (_, at) => at + 1);
      const keeps = all.every((turn) => all.every((later) => later.length <= turn.length || later.mark < turn.mark || messagesOf(turn).every((each) => isRewritten(turn, each) === isRewritten(later, each))));
      // The last turn has no later one to be held to.
      const rewritesNothing = all.every((turn) => turn.length === turnsUpTo || messagesOf(turn).every((each) => !isRewritten(turn, each)));
      if (keeps) expect({ rule, rewritesNothing }).toEqual({ rule, rewritesNothing: true });
    }
  });
});
