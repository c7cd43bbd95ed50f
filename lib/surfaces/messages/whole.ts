import type { FinishEvent, StreamEvent, Usage } from '../../wire';
import type { AnswerContext, EstimatedUsage } from '../surface';
import { lossNote, withNote } from './events';
import { BlockLadder, type BlockSink } from './ladder';
import { otherWord, stopReason } from './stop-reason';
import { estimatedMessagesUsage, messagesUsage } from './usage';

type Block = Record<string, unknown>;

/** A message made of another dialect's whole answer: the blocks that a stream of the same events would have shown. */
export function wholeMessage(events: readonly StreamEvent[], { callId, model }: AnswerContext, estimate: () => EstimatedUsage): string {
  const content: Block[] = [];
  const losses = new Set<string>();
  const ladder = new BlockLadder(collector(content, losses), callId);
  let usage: Usage | null = null;
  let finish: FinishEvent | null = null;
  let refused = false;
  for (const event of events) {
    if (event.type === 'usage') usage = event.usage;
    else if (event.type === 'dropped') losses.add(event.what);
    else if (event.type === 'audio') losses.add('audio');
    else if ('choice' in event && event.choice !== 0) losses.add('choices');
    else if (event.type === 'finish') finish = event;
    else if (event.type === 'text' || event.type === 'reasoning' || event.type === 'refusal' || event.type === 'tool_call' || event.type === 'signature' || event.type === 'annotation') {
      refused ||= event.type === 'refusal';
      ladder.add(event);
    }
  }
  ladder.finish();
  const ended = stopReason({ finish, calledTools: ladder.calledTools, refused });
  const message = {
    id: `msg_${callId}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    ...ended,
    usage: usage === null ? estimatedMessagesUsage(estimate()) : messagesUsage(usage),
  };
  return withNote(JSON.stringify(message), lossNote(0, losses, otherWord(finish, ended)));
}

function collector(content: Block[], losses: Set<string>): BlockSink {
  let text: string[] = [];
  return {
    start(index, block) {
      content[index] = block;
      text = [];
    },
    delta(index, kind, piece) {
      if (kind === 'signature') content[index]!.signature = piece;
      else text.push(piece);
    },
    citation(index, citation) {
      ((content[index]!.citations ??= []) as object[]).push(citation);
    },
    stop(index) {
      const block = content[index]!;
      if (block.type === 'text') block.text = text.join('');
      else if (block.type === 'thinking') block.thinking = text.join('');
      else if (block.type === 'tool_use') block.input = inputOf(text.join(''), losses);
    },
    dropped: (what) => void losses.add(what),
  };
}

/** Arguments that do not parse (an answer cut by its limit) stay the text that they are: an empty object would be a call that nobody made. */
function inputOf(text: string, losses: Set<string>): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    losses.add('tool_arguments');
    return text;
  }
}
