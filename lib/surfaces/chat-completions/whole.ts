import type { StreamEvent, Usage } from '../../wire';
import { openAiUsage } from '../openai-usage';
import type { AnswerContext, EstimatedUsage } from '../surface';
import { annotationOf, type CallSpelling, callSpelling, detailOf, finishOf, SignedTexts, signatureOfCall } from './parts';

interface Tool {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
  extra_content?: object;
}

interface Choice {
  index: number;
  content: string;
  reasoning: string;
  reasoningName: 'reasoning_content' | 'reasoning';
  refusal: string;
  tools: Tool[];
  /** Its one call came as a `function_call`. */
  oldCall: boolean;
  details: object[];
  signed: SignedTexts;
  annotations: object[];
  logprobs: unknown;
  finish: ReturnType<typeof finishOf> | null;
}

/** A chat.completion made of another dialect's answer. */
export function wholeChat(events: readonly StreamEvent[], { callId, createdS, model, request }: AnswerContext, estimate: () => EstimatedUsage): string {
  const spelling = callSpelling(request);
  const choices = new Map<number, Choice>();
  const dropped = new Set<string>();
  let usage: Usage | null = null;
  for (const event of events) {
    if (event.type === 'usage') usage = event.usage;
    else if (event.type === 'dropped') dropped.add(event.what);
    else if ('choice' in event) add(choiceAt(choices, event.choice), event, spelling.legacy);
  }
  return JSON.stringify({
    id: `chatcmpl-${callId}`,
    object: 'chat.completion',
    created: createdS,
    model,
    choices: [...choices.values()].sort((a, b) => a.index - b.index).map((choice) => written(choice, spelling)),
    usage: openAiUsage(usage, estimate),
    ...(dropped.size === 0 ? {} : { ohm: { dropped: [...dropped] } }),
  });
}

function choiceAt(choices: Map<number, Choice>, index: number): Choice {
  let choice = choices.get(index);
  if (choice === undefined) {
    choice = { index, content: '', reasoning: '', reasoningName: 'reasoning_content', refusal: '', tools: [], oldCall: false, details: [], signed: new SignedTexts(), annotations: [], logprobs: null, finish: null };
    choices.set(index, choice);
  }
  return choice;
}

function add(choice: Choice, event: StreamEvent, legacyFunctions: boolean): void {
  switch (event.type) {
    case 'text':
      choice.content += event.text;
      return;
    case 'reasoning':
      choice.reasoning += event.text;
      choice.signed.said(event.text);
      choice.reasoningName = event.spelled ?? 'reasoning_content';
      return;
    case 'refusal':
      choice.refusal += event.text;
      return;
    case 'tool_call': {
      const tool = (choice.tools[event.index] ??= { id: event.id ?? '', type: 'function', function: { name: '', arguments: '' } });
      tool.id ||= event.id ?? '';
      tool.function.name ||= event.name ?? '';
      tool.function.arguments += event.arguments;
      choice.oldCall ||= event.spelled === 'function_call';
      return;
    }
    case 'signature': {
      const tool = event.tool === null ? undefined : choice.tools[event.tool];
      if (tool) tool.extra_content = signatureOfCall(event);
      else choice.details.push(detailOf(event, choice.signed.closedBy(event)));
      return;
    }
    case 'annotation':
      choice.annotations.push(annotationOf(event.annotation));
      return;
    case 'logprobs':
      choice.logprobs = withLogprobs(choice.logprobs, event.logprobs);
      return;
    case 'finish':
      choice.finish = finishOf(event, legacyFunctions);
  }
}

/** A stream tells them piece by piece: the lists in them are continued. */
function withLogprobs(before: unknown, piece: unknown): unknown {
  if (typeof piece !== 'object' || piece === null) return piece;
  // Ours to add to: the event's own lists stay as they are, and are copied once, not again for every piece.
  const joined = typeof before === 'object' && before !== null ? (before as Record<string, unknown>) : {};
  for (const [name, value] of Object.entries(piece)) {
    const known = joined[name];
    if (!Array.isArray(value)) joined[name] = value ?? known;
    else if (!Array.isArray(known)) joined[name] = (value as unknown[]).slice();
    else for (const each of value as unknown[]) known.push(each);
  }
  return joined;
}

function written(choice: Choice, { legacy, custom }: CallSpelling): object {
  const tools = choice.tools.filter((tool) => tool !== undefined);
  const empty = choice.content === '' && (tools.length > 0 || choice.refusal !== '');
  const called = legacy || choice.oldCall ? { function_call: tools[0]?.function } : { tool_calls: custom === null ? tools : tools.map((tool) => (custom.has(tool.function.name) ? asCustom(tool) : tool)) };
  return {
    index: choice.index,
    message: {
      role: 'assistant',
      content: empty ? null : choice.content,
      refusal: choice.refusal === '' ? null : choice.refusal,
      ...(choice.reasoning === '' ? {} : { [choice.reasoningName]: choice.reasoning }),
      ...(choice.details.length === 0 ? {} : { reasoning_details: choice.details }),
      ...(tools.length === 0 ? {} : called),
      ...(choice.annotations.length === 0 ? {} : { annotations: choice.annotations }),
    },
    logprobs: choice.logprobs,
    ...choice.finish,
  };
}

const asCustom = ({ id, function: { name, arguments: input } }: Tool): object => ({ id, type: 'custom', custom: { name, input } });
