import { type Failure, type Frame, isObject, type StreamEvent } from '../../wire';
import type { StreamReader } from '../adapter';
import { saysError } from '../openai/error-body';
import { isTooHeavy } from '../heavy';
import { strayText } from '../stray-text';
import { answerReader } from './answer';
import { errorCutOff, errorInside } from './failure';

/**
 * Reads one streamGenerateContent stream. There is no terminator: only the end of the body ends it, and an error may
 * follow a finish reason, as an event or as bare pretty-printed JSON outside of the framing.
 */
export function streamReader(): StreamReader {
  const answer = answerReader();
  const stray = strayText(judgeStray);

  function read(data: string): Frame {
    stray.reset();
    if (isTooHeavy(data)) return malformed('an event of too many values');
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return data.trim() === '[DONE]' ? TERMINATOR : malformed('the data is not JSON');
    }
    if (!isObject(value)) return isListedError(value) ? error(errorInside(value)) : malformed('the data is not a JSON object');
    if (value.candidates === undefined && saysError(value)) return error(errorInside(value));
    if (value.error) return error(errorInside(value));
    const events: StreamEvent[] = [];
    const complaint = answer.take(value, events);
    if (complaint !== null) return malformed(complaint);
    const failed = events.length > 0 && events[events.length - 1]!.type === 'error';
    return { data: failed ? null : data, name: '', events };
  }

  return {
    read,
    stray: stray.line,
    end() {
      const text = stray.end();
      if (text === null) return null;
      return /^\[?\s*\{\s*"error"/.test(text) ? error(errorCutOff(text)) : malformed('JSON outside of the event framing, cut off');
    },
  };
}

const TERMINATOR: Frame = { data: null, name: '', events: [{ type: 'terminator' }] };

function judgeStray(value: unknown): Frame {
  const object: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(object) && saysError(object) ? error(errorInside(object)) : malformed('JSON outside of the event framing');
}

/** Without `alt=sse` even an error is wrapped in a list. */
const isListedError = (value: unknown): boolean => Array.isArray(value) && isObject(value[0]) && saysError(value[0]);

const error = (why: Failure): Frame => ({ data: null, name: '', events: [{ type: 'error', failure: why }] });

function malformed(detail: string): Frame {
  return { data: null, name: '', events: [{ type: 'malformed', detail }] };
}
