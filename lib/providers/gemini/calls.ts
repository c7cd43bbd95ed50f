import { randomUUID } from 'node:crypto';
import { isObject, nonEmpty, type StreamEvent } from '../../wire';
import { jsonText, partialArgs, type PartialArgs } from './partial-args';
import { SIGNATURE_FORMAT } from './signature';

/** The calls of one candidate. Each method returns null, or what is wrong. */
export interface CandidateCalls {
  take(call: unknown, signature: string | null, events: StreamEvent[]): string | null;
  /** Something else follows: a call that came in pieces is whole, whether or not its end was marked. */
  close(events: StreamEvent[]): string | null;
  readonly count: number;
}

/**
 * A call comes whole; or, where arguments are streamed, as a name, pieces and an empty end, which may be missing.
 * The pieces are no JSON text, so the arguments are sent once, when the call is over.
 */
export function candidateCalls(choice: number): CandidateCalls {
  let open: { index: number; args: PartialArgs } | null = null;

  function close(events: StreamEvent[]): string | null {
    if (open === null) return null;
    const { index, args } = open;
    open = null;
    const text = args.text();
    if (text === null) return TOO_DEEP;
    events.push({ type: 'tool_call', choice, index, id: null, name: null, arguments: text });
    return null;
  }

  function begin(call: Record<string, unknown>, name: string, signature: string | null, events: StreamEvent[]): string | null {
    const index = calls.count++;
    const inPieces = call.willContinue === true || call.partialArgs !== undefined;
    const text = inPieces ? '' : jsonText(call.args ?? {});
    if (text === null) return TOO_DEEP;
    events.push({ type: 'tool_call', choice, index, id: nonEmpty(call.id) ?? madeUpId(), name, arguments: text });
    if (signature !== null) events.push({ type: 'signature', choice, format: SIGNATURE_FORMAT, kind: 'signature', data: signature, tool: index });
    if (!inPieces) return null;
    open = { index, args: partialArgs() };
    return goOn(open.args, call);
  }

  const calls = {
    count: 0,
    close,
    take(call: unknown, signature: string | null, events: StreamEvent[]): string | null {
      if (!isObject(call)) return 'a function call is not an object';
      if (call.args !== undefined && call.args !== null && !isObject(call.args)) return 'the arguments of a function call are not an object';
      const name = nonEmpty(call.name);
      if (name !== null) return close(events) ?? begin(call, name, signature, events);
      const ends = call.partialArgs === undefined && call.args === undefined && call.willContinue !== true;
      if (ends) return close(events);
      return open === null ? 'a function call without a name' : goOn(open.args, call);
    },
  };
  return calls;
}

function goOn(args: PartialArgs, call: Record<string, unknown>): string | null {
  if (isObject(call.args)) args.merge(call.args);
  const pieces = call.partialArgs;
  if (pieces === undefined || pieces === null) return null;
  if (!Array.isArray(pieces)) return 'the pieces of arguments are no list';
  for (const piece of pieces) {
    const complaint = args.add(piece);
    if (complaint !== null) return complaint;
  }
  return null;
}

/** Most calls come without an id, and clients match results by it. */
const madeUpId = (): string => `call_${randomUUID().replaceAll('-', '')}`;

const TOO_DEEP = 'arguments that are nested too deep';
