import { type Failure, isObject, nonEmpty, type StreamEvent } from '../../wire';
import { type CandidateCalls, candidateCalls } from './calls';
import { type Citations, createCitations } from './citations';
import { badFinish, finishOf, nativeOf } from './finish';
import { readLogprobs } from './logprobs';
import { SIGNATURE_FORMAT } from './signature';
import { type TextPlaces, textPlaces } from './text-places';
import { createUsage } from './usage';

/**
 * Reads the one object that Gemini has for everything: a stream sends many of them, each with what is new, a whole
 * answer is a single one.
 */
export interface AnswerReader {
  /** Adds what the object holds to `events`. Null, or what is wrong with it. */
  take(value: Record<string, unknown>, events: StreamEvent[]): string | null;
  /** By choice; whether it has named its end. */
  readonly candidates: ReadonlyMap<number, { readonly ended: boolean }>;
}

interface Candidate {
  choice: number;
  calls: CandidateCalls;
  citations: Citations | null;
  places: TextPlaces;
  /** The part of its content that was read last: its index, and what it was. A stream sends a long one in many pieces. */
  part: number;
  partKind: 'text' | 'thought' | 'other';
  ended: boolean;
  /** STOP was said; more may follow, and a call among it makes that the end of a call. */
  stopped: boolean;
}

export function answerReader(): AnswerReader {
  const candidates = new Map<number, Candidate>();
  const usage = createUsage();
  let identified = false;
  /** What the object that is being read ended with, if that is no way to end an answer. */
  let failed: Failure | null = null;
  /** It names an end. */
  let final = false;

  function take(value: Record<string, unknown>, events: StreamEvent[]): string | null {
    const { candidates: list, promptFeedback, usageMetadata } = value;
    if (!Array.isArray(list) && !isObject(promptFeedback) && !isObject(usageMetadata)) return 'the data is no generateContent response';
    failed = null;
    final = false;
    if (!identified && typeof value.responseId === 'string' && value.responseId !== '') {
      identified = true;
      events.push({ type: 'identity', id: value.responseId, created: 0, model: nonEmpty(value.modelVersion) ?? '' });
    }
    if (Array.isArray(list)) {
      for (const each of list) {
        const complaint = readCandidate(each, events);
        if (complaint !== null) return complaint;
      }
    }
    if (isObject(promptFeedback) && nonEmpty(promptFeedback.blockReason) !== null) {
      final = true;
      candidateAt(0, events).ended = true;
      events.push({ type: 'finish', choice: 0, reason: 'content_filter', native: `blockReason:${String(promptFeedback.blockReason).slice(0, 80)}`, stopSequence: null });
    }
    if (final || usageMetadata !== undefined) {
      const known = usage.take(usageMetadata, final);
      if (known !== null) events.push({ type: 'usage', usage: known });
    }
    if (failed !== null) events.push({ type: 'error', failure: failed });
    return null;
  }

  function candidateAt(choice: number, events: StreamEvent[]): Candidate {
    let candidate = candidates.get(choice);
    if (candidate === undefined) {
      candidate = { choice, calls: candidateCalls(choice), citations: null, places: textPlaces(), part: -1, partKind: 'other', ended: false, stopped: false };
      candidates.set(choice, candidate);
      events.push({ type: 'choice', choice });
    }
    return candidate;
  }

  function readCandidate(value: unknown, events: StreamEvent[]): string | null {
    if (!isObject(value)) return 'a candidate is not an object';
    const index = value.index ?? 0; // zero is left out of this JSON
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= MAX_CANDIDATES) return 'a candidate has no index that could be one';
    const candidate = candidateAt(index, events);
    const called = candidate.calls.count;
    const { content } = value;
    if (value.logprobsResult !== undefined) {
      const logprobs = readLogprobs(value.logprobsResult);
      if (logprobs !== null) events.push({ type: 'logprobs', choice: index, logprobs });
    }
    if (isObject(content)) {
      const complaint = readParts(content.parts, candidate, events);
      if (complaint !== null) return complaint;
    } else if (content !== undefined && content !== null) {
      return 'the content of a candidate is not an object';
    }
    if (value.groundingMetadata !== undefined || value.citationMetadata !== undefined) {
      candidate.citations ??= createCitations(index);
      candidate.citations.read(value, candidate.places, events);
    }
    const { finishReason } = value;
    if (finishReason !== undefined && finishReason !== null && finishReason !== '') return finish(finishReason, candidate, events);
    return candidate.stopped && candidate.calls.count > called ? finish('STOP', candidate, events) : null;
  }

  function finish(word: unknown, candidate: Candidate, events: StreamEvent[]): string | null {
    const { choice, calls } = candidate;
    candidate.ended = final = true;
    const reason = typeof word === 'string' ? finishOf(word, calls.count > 0) : null;
    if (reason === null) {
      failed = badFinish(typeof word === 'string' ? word : `of type ${typeof word}`);
      return null;
    }
    candidate.stopped = word === 'STOP';
    const complaint = calls.close(events);
    if (complaint !== null) return complaint;
    events.push({ type: 'finish', choice, reason, native: nativeOf(word as string, reason), stopSequence: null });
    return null;
  }

  return { take, candidates };
}

const MAX_CANDIDATES = 128;

function readParts(parts: unknown, candidate: Candidate, events: StreamEvent[]): string | null {
  if (parts === undefined || parts === null) return null;
  if (!Array.isArray(parts)) return 'the parts of a candidate are no list';
  for (const [at, part] of parts.entries()) {
    countPart(part, at, candidate);
    const complaint = readPart(part, candidate, events);
    if (complaint !== null) return complaint;
  }
  return null;
}

/** Pieces of one part are the first parts of the stream's objects, as long as they are of its kind. */
function countPart(part: unknown, at: number, candidate: Candidate): void {
  const kind = !isObject(part) || typeof part.text !== 'string' ? 'other' : part.thought === true ? 'thought' : 'text';
  if (at > 0 || kind === 'other' || kind !== candidate.partKind) candidate.part++;
  candidate.partKind = kind;
}

function readPart(part: unknown, candidate: Candidate, events: StreamEvent[]): string | null {
  if (!isObject(part)) return 'a part is not an object';
  const { choice, calls } = candidate;
  const signature = nonEmpty(part.thoughtSignature);
  if (part.functionCall !== undefined) return calls.take(part.functionCall, signature, events);
  const { text } = part;
  const thought = part.thought === true;
  if (typeof text === 'string') {
    if (text !== '') {
      const complaint = calls.close(events);
      if (complaint !== null) return complaint;
      if (thought) {
        events.push({ type: 'reasoning', choice, text });
      } else {
        candidate.places.add(text, candidate.part);
        events.push({ type: 'text', choice, text });
      }
    }
  } else if (text !== undefined && text !== null) {
    return 'the text of a part is no string';
  } else {
    const kind = KINDS.find((name) => part[name] !== undefined);
    if (kind !== undefined) events.push({ type: 'dropped', what: kind });
    else if (signature === null && !thought) events.push({ type: 'dropped', what: 'part of an unknown kind' });
  }
  // With a thought it closes the reasoning; with anything else it stands for thoughts that are not shown.
  if (signature !== null) events.push({ type: 'signature', choice, format: SIGNATURE_FORMAT, kind: thought ? 'signature' : 'encrypted', data: signature, tool: null });
  return null;
}

const KINDS = ['inlineData', 'fileData', 'executableCode', 'codeExecutionResult', 'functionResponse', 'toolCall', 'toolResponse'];
