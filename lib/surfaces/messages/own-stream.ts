import type { Frame } from '../../wire';
import type { AnswerContext, AnswerSoFar, ClientError, StreamWriter } from '../surface';
import { truncationText } from './errors';
import { eventOf, lossNote, MESSAGE_STOP, PING, withNote } from './events';

/** Relays the events of a tier that speaks this API itself, with their own bytes. */
export class OwnStream implements StreamWriter {
  constructor(private readonly context: AnswerContext) {}

  frame(frame: Frame): string {
    const { data } = frame;
    return data === null ? '' : eventOf(nameOf(frame, data), data);
  }

  bridge(): string {
    return PING;
  }

  closing(stash: readonly Frame[], _answer: AnswerSoFar, malformedEvents: number): string {
    let out = '';
    const note = lossNote(malformedEvents, []);
    const last = note === null ? -1 : stash.findLastIndex((frame) => frame.data !== null && nameOf(frame, frame.data) === 'message_delta');
    for (const [index, frame] of stash.entries()) {
      out += index === last ? eventOf('message_delta', withNote(frame.data!, note)) : this.frame(frame);
    }
    return out + eventOf('message_stop', last === -1 ? withNote(MESSAGE_STOP, note) : MESSAGE_STOP);
  }

  truncated(error: ClientError): string {
    return eventOf('error', truncationText(error, this.context.callId));
  }
}

/** The upstream's own name, or the one that stands in the data where a relay left the line out. */
function nameOf({ name }: Frame, data: string): string {
  if (name !== '') return name;
  const { type } = JSON.parse(data) as { type?: unknown };
  return typeof type === 'string' ? type : 'message';
}
